import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
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

describe('a data discount', () => {
  const given = { ...intent, dataDiscountBasisPoints: 100 };
  const amounts = (changes: Partial<Outcome>, more: Partial<Intent> = {}) => {
    const charge = chargeOf({ ...given, ...more }, { ...ended, ...changes });
    const { costNanoUsd, dataDiscountNanoUsd, upstreamCostNanoUsd, suspendedNanoUsd } = charge;
    return [costNanoUsd, dataDiscountNanoUsd, upstreamCostNanoUsd, suspendedNanoUsd];
  };

  test('is taken off the cost, and the operator bears it', () =>
    deepEqual(amounts({}), [990n, 10n, 1_000n, 0n]));

  test('is rounded in favor of the customer, down to a cost of nothing', () => {
    const oneToken = { ...usage, inputTokens: 1, outputTokens: 0 };
    deepEqual(amounts({ usage: oneToken }), [49n, 1n, 50n, 0n]);
    const prices = { ...intent.prices, inputTokenAttoUsd: 1_000_000_000n };
    deepEqual(amounts({ usage: oneToken }, { prices }), [0n, 1n, 1n, 0n]);
  });

  test('is of the hold if the provider asks for more', () =>
    deepEqual(amounts({}, { holdNanoUsd: 600n }), [594n, 6n, 600n, 0n]));

  test('is not of the amount in suspense', () =>
    deepEqual(amounts({ isEstimated: true, estimateReason: 'absurd_usage' }), [
      990n,
      10n,
      1_000n,
      2_000n,
    ]));

  test('is nothing of an attempt that costs nothing', () =>
    deepEqual(amounts({ outcome: 'failed', finishReason: '' }).slice(0, 2), [0n, 0n]));

  test('is not given for an own credential, nor without the wish of the workspace', () => {
    const byok = {
      credentialId: 'c-1',
      freeHeldNanoUsd: 0n,
      feeBasisPoints: 500,
      feeLeaseNumbers: [],
      allowanceLeaseNumber: 0n,
    };
    deepEqual(amounts({}, { byok }), [1_000n, undefined, undefined, 0n]);
    deepEqual(amounts({}, { dataDiscountBasisPoints: undefined }), [
      1_000n,
      undefined,
      undefined,
      0n,
    ]);
  });

  test('never makes a charge negative, larger than without it, or larger than the hold', () => {
    const anyCharge = fc.record({
      inputTokens: fc.nat({ max: 1_000 }),
      outputTokens: fc.nat({ max: 1_000 }),
      inputTokenAttoUsd: fc.bigInt({ min: 0n, max: 10n ** 12n }),
      holdNanoUsd: fc.bigInt({ min: 0n, max: 10n ** 6n }),
      dataDiscountBasisPoints: fc.integer({ min: 0, max: 10_000 }),
      isEstimated: fc.boolean(),
    });
    fc.assert(
      fc.property(anyCharge, ({ isEstimated, inputTokens, outputTokens, ...terms }) => {
        const { holdNanoUsd, dataDiscountBasisPoints, inputTokenAttoUsd } = terms;
        const prices = { ...intent.prices, inputTokenAttoUsd };
        const outcome: Outcome = {
          ...ended,
          usage: { ...usage, inputTokens, outputTokens },
          isEstimated,
          ...(isEstimated && { estimateReason: 'absurd_usage' }),
        };
        const plain = chargeOf({ ...intent, prices, holdNanoUsd }, outcome);
        const less = chargeOf({ ...given, prices, holdNanoUsd, dataDiscountBasisPoints }, outcome);
        const discount = less.dataDiscountNanoUsd ?? -1n;
        ok(less.costNanoUsd >= 0n && discount >= 0n);
        equal(less.costNanoUsd + discount, plain.costNanoUsd);
        ok(discount * 10_000n >= plain.costNanoUsd * BigInt(dataDiscountBasisPoints));
        ok(less.costNanoUsd + less.suspendedNanoUsd <= holdNanoUsd);
        equal(less.upstreamCostNanoUsd ?? less.costNanoUsd, plain.costNanoUsd);
        equal(less.suspendedNanoUsd, plain.suspendedNanoUsd);
      }),
    );
  });
});

describe('a cache discount', () => {
  const prices = { ...intent.prices, cacheWriteTokenAttoUsd: 60_000_000_000n };
  const discountOf = (counts: Partial<Outcome['usage']>, more: Partial<Intent> = {}) => {
    const outcome = { ...ended, usage: { ...usage, ...counts } };
    return chargeOf({ ...intent, prices, ...more }, outcome).cacheDiscountNanoUsd;
  };

  test('is what the tokens of the cache cost less, and negative where writing them cost more', () => {
    equal(discountOf({ cachedTokens: 4 }), 200n);
    equal(discountOf({ cacheWriteTokens: 3 }), -30n);
    equal(discountOf({ cachedTokens: 4, cacheWriteTokens: 3 }), 170n);
    equal(discountOf({ cachedTokens: 4 }, { dataDiscountBasisPoints: 100 }), 198n);
  });

  test('is not there without a cache, without a difference, or without a cost', () => {
    equal(discountOf({}), undefined);
    const same = { ...prices, cachedTokenAttoUsd: prices.inputTokenAttoUsd };
    equal(discountOf({ cachedTokens: 4 }, { prices: same }), undefined);
    const failed = { ...ended, outcome: 'failed', usage: { ...usage, cachedTokens: 4 } } as const;
    equal(chargeOf(intent, failed).cacheDiscountNanoUsd, undefined);
  });

  test('with the cost is what the same tokens cost without a cache, whatever the hold and the discount', () => {
    const token = fc.integer({ min: 0, max: 1_000 });
    const price = fc.bigInt({ min: 0n, max: 90_000_000_000n });
    fc.assert(
      fc.property(
        fc.record({
          cachedTokens: token,
          cacheWriteTokens: token,
          cachedAudioTokens: token,
          rest: token,
        }),
        fc.record({
          inputTokenAttoUsd: price,
          cachedTokenAttoUsd: price,
          cacheWriteTokenAttoUsd: price,
        }),
        fc.record({
          holdNanoUsd: fc.bigInt({ min: 0n, max: 200_000n }),
          dataDiscountBasisPoints: fc.option(fc.integer({ min: 0, max: 10_000 }), {
            nil: undefined,
          }),
        }),
        ({ rest, ...counts }, its, terms) => {
          const { cachedTokens, cacheWriteTokens, cachedAudioTokens } = counts;
          const inputTokens = cachedTokens + cacheWriteTokens + cachedAudioTokens + rest;
          const given = { ...intent, ...terms, prices: { ...intent.prices, ...its } };
          const of = (one: Partial<Outcome['usage']>) =>
            chargeOf(given, { ...ended, usage: { ...usage, inputTokens, ...one } });
          const cached = of(counts);
          const plain = of({ audioInputTokens: cachedAudioTokens });
          equal(cached.costNanoUsd + (cached.cacheDiscountNanoUsd ?? 0n), plain.costNanoUsd);
        },
      ),
    );
  });
});
