import type { Destination } from '../../domain/destination.ts';
import type { FinishedGeneration } from '../../domain/generation.ts';
import type { Observed } from '../sender.ts';

const startedAtMs = Date.parse('2026-11-27T10:00:00.000Z');

/** Returns a generation with one model call of two attempts. */
export function aGeneration(changes: Partial<FinishedGeneration> = {}): FinishedGeneration {
  const tokens = { input: 12, cached: 4, output: 30, reasoning: 5 };
  const completedAtMs = startedAtMs + 2_000;
  return {
    generationId: 'gen-1',
    requestId: 'req-1',
    accountId: 'account',
    workspaceId: 'workspace',
    keyHash: 'hash',
    keyName: 'Production',
    userId: 'member',
    externalUser: 'customer-7',
    sessionId: 'session-1',
    trace: {},
    traceparent: '',
    apiType: '',
    region: 'global',
    streamed: true,
    isByok: false,
    model: 'openai/gpt-5',
    provider: 'openai',
    upstreamId: 'resp_1',
    outcome: 'completed',
    finishReason: 'stop',
    nativeFinishReason: 'stop',
    errorCode: '',
    serviceTier: 'default',
    startedAtMs,
    completedAtMs,
    latencyMs: 450,
    tokens,
    costNanoUsd: 1_250_000n,
    feeNanoUsd: 0n,
    httpReferer: 'https://app.example',
    userAgent: 'agent/1',
    appTitle: 'App',
    guardrailInvoked: false,
    guardrailEvents: [],
    guardrailEventsOmitted: 0,
    moderationLatencyMs: undefined,
    responseCacheSourceId: '',
    turns: [
      {
        turn: 1,
        model: 'openai/gpt-5',
        provider: 'openai',
        upstreamId: 'resp_1',
        outcome: 'completed',
        finishReason: 'stop',
        startedAtMs,
        completedAtMs,
        latencyMs: 450,
        tokens,
        costNanoUsd: 1_250_000n,
        attempts: [
          { provider: 'azure', errorCode: 'provider_unavailable', latencyMs: 200 },
          { provider: 'openai', errorCode: '', latencyMs: 250 },
        ],
      },
    ],
    toolCalls: [],
    ...changes,
  };
}

export function observed(changes: Partial<FinishedGeneration> = {}): Observed {
  return { generation: aGeneration(changes), contents: undefined };
}

export function aDestination(changes: Partial<Destination> = {}): Destination {
  return {
    id: 'destination',
    accountId: 'account',
    workspaceId: 'workspace',
    type: 'otel-collector',
    config: { endpoint: 'https://collector.example' },
    headers: {},
    shows: { cost: false, identity: false, requestContext: false },
    ...changes,
  };
}
