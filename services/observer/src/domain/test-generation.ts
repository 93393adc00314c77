import type { FinishedGeneration } from './generation.ts';

interface Place {
  readonly destinationId: string;
  readonly accountId: string;
  readonly workspaceId: string;
}

/** Returns the made-up generation that a test of a destination sends. Its ids say that it is one. */
export function testGeneration(
  { destinationId, accountId, workspaceId }: Place,
  now: Date,
): FinishedGeneration {
  const completedAtMs = now.getTime();
  const startedAtMs = completedAtMs - 1_000;
  const tokens = { input: 1, cached: 0, output: 1, reasoning: 0 };
  const called = {
    model: 'sluice/test',
    provider: 'sluice',
    upstreamId: '',
    outcome: 'completed',
    finishReason: 'stop',
    startedAtMs,
    completedAtMs,
    latencyMs: 100,
    tokens,
    costNanoUsd: 0n,
  };
  const id = `gen-test-${destinationId}-${String(completedAtMs)}`;
  return {
    ...called,
    generationId: id,
    requestId: id.replace(/^gen/, 'req'),
    accountId,
    workspaceId,
    keyHash: '',
    keyName: '',
    userId: '',
    externalUser: '',
    sessionId: '',
    trace: { trace_name: 'Test of a destination' },
    traceparent: '',
    apiType: '',
    region: 'global',
    streamed: false,
    isByok: false,
    nativeFinishReason: 'stop',
    errorCode: '',
    serviceTier: '',
    feeNanoUsd: 0n,
    httpReferer: '',
    userAgent: '',
    appTitle: '',
    guardrailInvoked: false,
    guardrailEvents: [],
    guardrailEventsOmitted: 0,
    moderationLatencyMs: undefined,
    responseCacheSourceId: '',
    turns: [{ ...called, turn: 1, attempts: [] }],
    toolCalls: [],
  };
}
