import type { Generation } from '@sluice/protos/sluice/ledger/v1/ledger';

/** As a replica tells it: two attempts, no output. */
export function aFailedGeneration(changes: Partial<Generation> = {}): Generation {
  const attempt = { errorCode: 'provider_unavailable', latencyMs: 30n, isByok: false };
  return {
    generationId: 'gen-f',
    requestId: 'req-f',
    workspaceId: 'ws_1',
    keyHash: 'key1',
    model: 'sim/small',
    provider: '',
    endpointId: '',
    upstreamId: '',
    inputTokens: 0n,
    cachedTokens: 0n,
    outputTokens: 0n,
    reasoningTokens: 0n,
    costNanoUsd: 0n,
    feeNanoUsd: 0n,
    isByok: false,
    streamed: true,
    outcome: 'failed',
    finishReason: '',
    nativeFinishReason: '',
    estimated: false,
    admittedAt: '2026-11-18T12:00:00.000Z',
    completedAt: '2026-11-18T12:00:01.500Z',
    latencyMs: undefined,
    userId: 'user_1',
    externalUser: 'customer-7',
    sessionId: '',
    httpReferer: '',
    userAgent: '',
    attempts: [
      { ...attempt, provider: 'a', endpointId: 'e-0' },
      { ...attempt, provider: 'b', endpointId: 'e-1' },
    ],
    serviceTier: '',
    inputMedia: 0n,
    inputAudio: 0n,
    outputMedia: 0n,
    imageOutputTokens: 0n,
    routing: '{"requested":["sim/small"]}',
    trace: '{"trace_id":"t-1"}',
    ...changes,
  };
}
