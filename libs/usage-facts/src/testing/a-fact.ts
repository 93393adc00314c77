import { noByokTerms } from '../byok-terms.ts';
import type { UsageFact, UsageRepeat } from '../usage-fact.ts';

let written = 0;

/** A countable fact; each has an id of its own unless the changes give one. */
export function aFact(changes: Partial<UsageFact> = {}): UsageFact {
  const number = ++written;
  return {
    usageId: `gen-${number}/1/1`,
    generationId: `gen-${number}`,
    requestId: `req-${number}`,
    accountId: 'acct_1',
    workspaceId: 'ws_1',
    keyHash: 'key1',
    model: 'sim/small',
    provider: 'sim',
    upstreamId: 'resp_1',
    inputTokens: 10n,
    cachedTokens: 4n,
    outputTokens: 20n,
    reasoningTokens: 5n,
    costNanoUsd: 1_000n,
    upstreamCostNanoUsd: undefined,
    isByok: false,
    streamed: true,
    outcome: 'completed',
    finishReason: 'stop',
    estimated: false,
    admittedAt: '2026-11-18T12:00:00.000Z',
    completedAt: '2026-11-18T12:00:01.500Z',
    replica: 'routing-0',
    epoch: 1n,
    sequence: BigInt(number),
    leaseEpoch: 0n,
    leaseNumbers: [],
    freeRequestLeaseNumbers: [],
    ...noByokTerms,
    guardrailScopes: [],
    routing: '',
    serviceTier: '',
    trace: '',
    appTitle: '',
    appCategories: [],
    guardrailInvoked: false,
    moderationLatencyMs: undefined,
    apiType: '',
    app: '',
    traceparent: '',
    hasEnd: false,
    dataRegion: '',
    dataDiscountNanoUsd: undefined,
    dataDiscountBasisPoints: undefined,
    cacheDiscountNanoUsd: undefined,
    toolType: '',
    responseCacheSourceId: '',
    nativeFinishReason: 'stop',
    endpointId: 'endpoint-1',
    latencyMs: 400n,
    userId: 'user_1',
    externalUser: '',
    sessionId: '',
    httpReferer: '',
    userAgent: '',
    attempts: [],
    holdNanoUsd: 0n,
    suspendedNanoUsd: 0n,
    operatorSuspendedNanoUsd: 0n,
    claimedNanoUsd: 0n,
    specialTokens: {},
    estimateReason: '',
    prices: {},
    providerUsage: new Uint8Array(),
    repeats: [],
    ...changes,
  };
}

/** Returns a fact of an answer that was repeated from the response cache. */
export function aRepeatedFact(changes: Partial<UsageFact> = {}): UsageFact {
  return aFact({
    upstreamId: '',
    inputTokens: 0n,
    cachedTokens: 0n,
    outputTokens: 0n,
    reasoningTokens: 0n,
    costNanoUsd: 0n,
    latencyMs: undefined,
    responseCacheSourceId: 'gen-source',
    ...changes,
  });
}

/** Returns one more answer like that of such a fact, with ids of its own. */
export function aRepeat(changes: Partial<UsageRepeat> = {}): UsageRepeat {
  const number = ++written;
  return {
    generationId: `gen-${number}`,
    requestId: `req-${number}`,
    sourceId: 'gen-source',
    startedAt: '2026-11-18T12:00:02.000Z',
    endedAt: '2026-11-18T12:00:02.001Z',
    externalUser: '',
    sessionId: '',
    trace: '',
    traceparent: '',
    ...changes,
  };
}

/** Returns a fact that a crash cut off: charged 1,000 of a hold of 10,000, at 10 per input and 20 per output token. */
export function anEstimate(changes: Partial<UsageFact> = {}): UsageFact {
  return aFact({
    outcome: 'interrupted',
    finishReason: '',
    estimated: true,
    inputTokens: 10n,
    cachedTokens: 0n,
    outputTokens: 45n,
    reasoningTokens: 0n,
    costNanoUsd: 1_000n,
    holdNanoUsd: 10_000n,
    suspendedNanoUsd: 9_000n,
    estimateReason: 'interrupted',
    prices: {
      inputTokenAttoUsd: '10000000000',
      cachedTokenAttoUsd: '5000000000',
      outputTokenAttoUsd: '20000000000',
      requestAttoUsd: '0',
    },
    ...changes,
  });
}

/** An attempt that a provider cut: it charges 1,000 of a hold of 10,000 so far, and the customer pays nothing. */
export function aFailure(changes: Partial<UsageFact> = {}): UsageFact {
  return anEstimate({
    outcome: 'failed',
    costNanoUsd: 0n,
    upstreamCostNanoUsd: 1_000n,
    suspendedNanoUsd: 0n,
    operatorSuspendedNanoUsd: 9_000n,
    estimateReason: 'broken_off',
    ...changes,
  });
}

/** A web search that cost 1,000 of a hold of 3,000. It used no tokens. */
export function aToolFact(changes: Partial<UsageFact> = {}): UsageFact {
  return aFact({
    provider: 'exa',
    upstreamId: 'search_1',
    apiType: 'tool',
    toolType: 'service:web_search',
    specialTokens: { searches: '1', searchResults: '5' },
    inputTokens: 0n,
    cachedTokens: 0n,
    outputTokens: 0n,
    reasoningTokens: 0n,
    endpointId: '',
    holdNanoUsd: 3_000n,
    ...changes,
  });
}

/** Returns a fact that costs 990 instead of 1,000, because the operator may use the contents. */
export function aDiscountedFact(changes: Partial<UsageFact> = {}): UsageFact {
  return aFact({
    costNanoUsd: 990n,
    upstreamCostNanoUsd: 1_000n,
    dataDiscountNanoUsd: 10n,
    dataDiscountBasisPoints: 100n,
    ...changes,
  });
}

/** With a credential of the account: a list price of 1,000, of which 400 are free; 30 of fee on the rest. */
export function aByokFact(changes: Partial<UsageFact> = {}): UsageFact {
  return aFact({
    isByok: true,
    credentialId: '0190a000-0000-7000-8000-0000000000aa',
    feeNanoUsd: 30n,
    freeNanoUsd: 400n,
    ...changes,
  });
}
