import { deepEqual, equal } from 'node:assert/strict';
import { UsageRecorded } from '@sluice/protos/sluice/usage/v1/usage_events';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { chargeOf } from './charge.ts';
import type { Outcome } from './outcome.ts';
import { encodeEntry, factBytes, type Intent } from './record.ts';
import { usageFact } from './usage-fact.ts';

const at = new Date('2026-11-21T10:36:06.615Z');
const endedAt = new Date('2026-11-21T10:36:06.630Z');
const place = { replica: 'replica-1', epoch: 2n, sequence: 3n };
const plainIntent: Intent = {
  usageId: 'gen-1/1/1',
  generationId: 'gen-1',
  requestId: 'req-1',
  accountId: 'a',
  workspaceId: 'w',
  keyHash: 'k',
  model: 'sim/echo',
  provider: 'simulator',
  admittedAt: at,
  streamed: false,
  inputTokens: 10,
  prices: {
    inputTokenAttoUsd: 50_000_000_000n,
    cachedTokenAttoUsd: 0n,
    outputTokenAttoUsd: 100_000_000_000n,
    requestAttoUsd: 0n,
  },
  leaseEpoch: 1n,
  leaseNumbers: [],
};
const plainEnd: Outcome = {
  outcome: 'completed',
  finishReason: '',
  usage: { inputTokens: 0, cachedTokens: 0, outputTokens: 0, reasoningTokens: 0 },
  isEstimated: false,
  isDeclaredFailure: false,
  upstreamId: undefined,
  completedAt: endedAt,
};

function textOf(intent: Intent, ended: Outcome): string {
  const fact = usageFact(intent, ended, { charge: chargeOf(intent, ended), place });
  return Buffer.from(factBytes(encodeEntry({ type: 'final', fact }))).toString();
}

const text = fc.string({ maxLength: 8 });
const amount = fc.bigInt({ min: 0n, max: 9_000n });
const count = fc.nat({ max: 3 });
const numbers = fc.array(amount, { maxLength: 2 });
const intents: fc.Arbitrary<Partial<Intent>> = fc.record(
  {
    usageId: text,
    upstreamId: text,
    streamed: fc.boolean(),
    holdNanoUsd: amount,
    leaseEpoch: amount,
    leaseNumbers: numbers,
    guardrailScopes: fc.array(text, { maxLength: 2 }),
    labels: fc.record({ endpointId: text, userId: text, trace: text }, { requiredKeys: [] }),
    byok: fc.record({
      credentialId: text,
      freeHeldNanoUsd: amount,
      feeBasisPoints: count,
      feeLeaseNumbers: numbers,
      allowanceLeaseNumber: amount,
    }),
  },
  { requiredKeys: [] },
);
const attempt = {
  provider: text,
  endpointId: text,
  errorCode: text,
  latencyMs: amount,
  isByok: fc.boolean(),
};
const ends: fc.Arbitrary<Partial<Outcome>> = fc.record(
  {
    finishReason: text,
    usage: fc.record({
      inputTokens: count,
      cachedTokens: fc.constant(0),
      outputTokens: count,
      reasoningTokens: fc.constant(0),
      images: count,
    }),
    isEstimated: fc.boolean(),
    estimateReason: fc.constantFrom('interrupted', 'absurd_usage'),
    providerUsage: text,
    isDeclaredFailure: fc.boolean(),
    upstreamId: text,
    nativeFinishReason: text,
    inputMedia: fc.record({ mediaCount: count, audioCount: count }),
    outputMedia: count,
    beginning: fc.record({
      latencyMs: count,
      attempts: fc.array(fc.record(attempt), { maxLength: 2 }),
      routing: text,
    }),
  },
  { requiredKeys: [] },
);

describe('the JSON of a fact', () => {
  test('is what its message would be written as', () => {
    fc.assert(
      fc.property(intents, ends, (someIntent, someEnd) => {
        const written = textOf({ ...plainIntent, ...someIntent }, { ...plainEnd, ...someEnd });
        const fact = UsageRecorded.fromJSON(JSON.parse(written));
        equal(JSON.stringify(UsageRecorded.toJSON(fact)), written);
      }),
    );
  });

  test('has what was admitted, what was served and what it costs', () => {
    const byok = {
      credentialId: 'c',
      freeHeldNanoUsd: 200n,
      feeBasisPoints: 500,
      feeLeaseNumbers: [6n],
      allowanceLeaseNumber: 7n,
    };
    const labels = {
      endpointId: 'e',
      userId: 'u',
      externalUser: 'x',
      sessionId: 's',
      httpReferer: 'r',
      userAgent: 'g',
      trace: '{}',
    };
    const tried = { provider: 'p', endpointId: 'e', errorCode: '', latencyMs: 4n, isByok: true };
    const intent: Intent = {
      ...plainIntent,
      streamed: true,
      holdNanoUsd: 3_000n,
      leaseNumbers: [4n, 5n],
      freeRequestLeaseNumbers: [6n, 7n],
      guardrailScopes: ['scope'],
      labels,
      byok,
    };
    const ended: Outcome = {
      ...plainEnd,
      finishReason: 'stop',
      nativeFinishReason: 'end_turn',
      usage: { inputTokens: 10, cachedTokens: 1, outputTokens: 5, reasoningTokens: 2, images: 1 },
      upstreamId: 'up-1',
      serviceTier: 'flex',
      inputMedia: { mediaCount: 2, audioCount: 1 },
      outputMedia: 3,
      beginning: { latencyMs: 9, attempts: [tried], routing: '{}' },
    };
    const { prices: _, byok: _terms, labels: _labels, ...admitted } = intent;
    deepEqual(UsageRecorded.fromJSON(JSON.parse(textOf(intent, ended))), {
      ...UsageRecorded.fromPartial({}),
      ...admitted,
      ...labels,
      ...place,
      admittedAt: '2026-11-21T10:36:06.615Z',
      completedAt: '2026-11-21T10:36:06.630Z',
      upstreamId: 'up-1',
      inputTokens: 10n,
      cachedTokens: 1n,
      cacheDiscountNanoUsd: 50n,
      outputTokens: 5n,
      reasoningTokens: 2n,
      specialTokens: { images: '1', inputMedia: '2', inputAudio: '1', outputMedia: '3' },
      outcome: 'completed',
      finishReason: 'stop',
      nativeFinishReason: 'end_turn',
      serviceTier: 'flex',
      latencyMs: 9n,
      attempts: [tried],
      routing: '{}',
      isByok: true,
      credentialId: 'c',
      costNanoUsd: 950n,
      feeNanoUsd: 38n,
      freeNanoUsd: 200n,
      feeLeaseNumbers: [6n],
      allowanceLeaseNumber: 7n,
    });
  });
});
