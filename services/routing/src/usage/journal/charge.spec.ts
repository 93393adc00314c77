import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { chargeOf } from './charge.ts';
import type { Outcome } from './outcome.ts';
import type { Intent } from './record.ts';

/** 1,000 of 10 input tokens at 50 and of 5 output tokens at 100. */
const usage = { inputTokens: 10, cachedTokens: 0, outputTokens: 5, reasoningTokens: 0 };
const intent: Intent = {
  usageId: 'gen-1/1/1',
  generationId: 'gen-1',
  requestId: 'req-1',
  accountId: 'a',
  workspaceId: 'w',
  keyHash: 'k',
  model: 'sim/echo',
  provider: 'simulator',
  admittedAt: new Date(0),
  streamed: true,
  inputTokens: 10,
  prices: {
    inputTokenAttoUsd: 50_000_000_000n,
    cachedTokenAttoUsd: 0n,
    outputTokenAttoUsd: 100_000_000_000n,
    requestAttoUsd: 0n,
  },
  holdNanoUsd: 3_000n,
  leaseEpoch: 1n,
  leaseNumbers: [],
};
const ended: Outcome = {
  outcome: 'completed',
  finishReason: 'stop',
  usage,
  isEstimated: false,
  isDeclaredFailure: false,
  upstreamId: 'up-1',
  completedAt: new Date(0),
};
const figures = (changes: Partial<Outcome>, hold: Partial<Intent> = {}) => {
  const charge = chargeOf({ ...intent, ...hold }, { ...ended, ...changes });
  const { costNanoUsd, suspendedNanoUsd, claimedNanoUsd, estimateReason, estimated } = charge;
  return [costNanoUsd, suspendedNanoUsd, claimedNanoUsd, estimateReason, estimated];
};

describe('what the provider counted', () => {
  test('is charged, and the rest of the hold is free', () => {
    deepEqual(figures({}), [1_000n, 0n, 0n, '', false]);
  });

  test('is charged up to the hold, and the excess is reported as claimed', () => {
    deepEqual(figures({}, { holdNanoUsd: 600n }), [600n, 0n, 400n, 'above_hold', true]);
  });

  test('is all charged of a record that does not know its hold', () => {
    const { holdNanoUsd: _, ...old } = intent;
    const { costNanoUsd, claimedNanoUsd } = chargeOf(old, ended);
    deepEqual([costNanoUsd, claimedNanoUsd], [1_000n, 0n]);
  });
});

describe('an estimate', () => {
  const estimate = { isEstimated: true, finishReason: '' };

  for (const estimateReason of ['interrupted', 'absurd_usage'] as const)
    test(`leaves the rest of the hold in suspense when it is ${estimateReason}`, () => {
      deepEqual(figures({ ...estimate, estimateReason }), [
        1_000n,
        2_000n,
        0n,
        estimateReason,
        true,
      ]);
      const nothing = { ...usage, outputTokens: 0 };
      deepEqual(figures({ ...estimate, estimateReason, usage: nothing }), [
        0n,
        3_000n,
        0n,
        estimateReason,
        true,
      ]);
    });

  test('of what was seen to its end leaves nothing there, and names its prices', () => {
    deepEqual(figures(estimate), [1_000n, 0n, 0n, 'no_usage', true]);
    const { prices } = chargeOf(intent, { ...ended, ...estimate });
    equal(prices['outputTokenAttoUsd'], '100000000000');
  });

  test('of a failure that the provider declared is free for good', () => {
    deepEqual(figures({ ...estimate, isDeclaredFailure: true }), [0n, 0n, 0n, '', true]);
  });
});
