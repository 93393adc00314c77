import { deepEqual, equal } from 'node:assert/strict';
import { parseCatalogFile, priceBookOf } from '@sluice/catalog';
import type { UsageFact } from '@sluice/usage-facts';
import {
  aByokFact,
  aDiscountedFact,
  aFact,
  aFailure,
  anEstimate,
  aToolFact,
} from '@sluice/usage-facts/testing';
import { describe, test } from 'vitest';
import { Allowances } from './allowances.ts';
import { costAtPrices } from './rerate.ts';

/** Twice the prices of `anEstimate`: 20 per input and 40 per output token. */
const book = priceBookOf(
  parseCatalogFile(`
models:
  - id: sim/small
    provider: sim
    upstream_model: small
    pricing: { prompt: "0.00000002", completion: "0.00000004", input_cache_read: "0.00000001" }
  - id: sim/two
    endpoints:
      - { provider: sim, upstream_model: a, pricing: { prompt: "1", completion: "1" } }
      - { provider: sim, upstream_model: b, pricing: { prompt: "2", completion: "2" } }
tool_prices:
  - { tool: "service:web_search", engine: exa, call: "0.01" }
  - { tool: "service:web_search", engine: tavily, call: "0.01" }
`),
);
const cost = (fact: UsageFact) => costAtPrices(book, { fact });

describe('a fact keeps its price', () => {
  test('if its model or its endpoint is not listed', () => {
    equal(cost(aFact({ model: 'sim/large' })), 'not_listed');
    equal(cost(aFact({ provider: 'elsewhere' })), 'not_listed');
    equal(cost(aFact({ model: 'sim/two' })), 'not_listed');
  });

  test('if its tool is not listed, or has prices by a mode that the fact lacks', () => {
    equal(cost(aToolFact({ toolType: 'service:bash', provider: '' })), 'not_listed');
    equal(cost(aToolFact()), 'tool_mode_unknown');
    equal(cost(aToolFact({ provider: 'tavily' })), 10_000_000n);
  });

  test('if it was served by a private endpoint, whose rates no catalog has', () => {
    const { prices } = anEstimate();
    // 6 × 10 + 4 × 5 + 20 × 20.
    equal(cost(aByokFact({ endpointId: 'own', costNanoUsd: 480n, prices })), 480n);
  });

  test('if the hold may have cut the list price of an own credential', () =>
    equal(cost(aByokFact({ estimated: true })), 'byok_estimate'));

  test('if an older release charged for what is free', () =>
    equal(cost(aFact({ outcome: 'failed' })), 'older_rule'));
});

test('a failure, a repeated answer and an attempt of which nothing was seen stay free', () => {
  equal(cost(aFailure()), 0n);
  equal(cost(aFact({ costNanoUsd: 0n, responseCacheSourceId: 'gen-1' })), 0n);
  const unseen = { outcome: 'cancelled', finishReason: '', outputTokens: 0n, reasoningTokens: 0n };
  equal(cost(aFact({ ...unseen, costNanoUsd: 0n })), 0n);
});

describe('an estimate', () => {
  const estimate = anEstimate();
  const corrected = (changes: Partial<UsageFact>, source = 'receipt', absorbedNanoUsd = 0n) => {
    const fact = { ...estimate, estimated: false, ...changes };
    return costAtPrices(book, { fact, estimate, correction: { source, absorbedNanoUsd } });
  };

  test('costs the counts that were seen, also after it was written off', () => {
    equal(costAtPrices(book, { fact: estimate, estimate }), 2_000n);
    equal(corrected({ estimated: true }, 'write_off'), 2_000n);
  });

  test('costs the corrected counts', () => {
    const truth = { inputTokens: 12n, cachedTokens: 2n, outputTokens: 90n, costNanoUsd: 1_910n };
    equal(corrected(truth), 3_820n);
  });

  test('costs the same share of what was beyond its hold', () => {
    const truth = { inputTokens: 0n, outputTokens: 600n, costNanoUsd: 10_000n };
    equal(corrected(truth, 'receipt', 2_000n), 20_000n);
  });

  test('keeps an amount that a receipt said, and costs nothing if nothing was served', () => {
    equal(corrected({ costNanoUsd: 777n }), 'receipt_amount');
    equal(corrected({ costNanoUsd: 0n, inputTokens: 0n, outputTokens: 0n }), 0n);
  });

  test('of which only the input was seen costs what its receipt says', () => {
    const none = anEstimate({ outputTokens: 0n, costNanoUsd: 0n });
    const fact = { ...none, estimated: false, costNanoUsd: 100n };
    const correction = { source: 'receipt', absorbedNanoUsd: 0n };
    equal(costAtPrices(book, { fact, estimate: none, correction }), 200n);
  });
});

describe('a discount for contents', () => {
  const discount = { dataDiscountBasisPoints: 100n };

  test('is taken off at other prices too', () => {
    // 6 × 20 + 4 × 10 + 20 × 40 = 960.
    equal(cost(aDiscountedFact()), 950n);
    const bare = { costNanoUsd: 0n, upstreamCostNanoUsd: undefined, dataDiscountNanoUsd: 0n };
    equal(cost(aDiscountedFact(bare)), 950n);
  });

  test('is part of what the operator absorbed of a corrected estimate', () => {
    const estimate = anEstimate({ ...discount, costNanoUsd: 990n, dataDiscountNanoUsd: 10n });
    // 600 output tokens cost 12,000, of which the hold of 10,000 can be charged.
    const truth = { inputTokens: 0n, outputTokens: 600n };
    const amounts = { costNanoUsd: 9_900n, dataDiscountNanoUsd: 100n };
    const fact = { ...estimate, ...truth, ...amounts, estimated: false };
    const correction = { source: 'receipt', absorbedNanoUsd: 2_100n };
    equal(costAtPrices(book, { fact, estimate, correction }), 19_800n);
  });
});

describe('the allowance of own credentials', () => {
  const terms = { allowanceNanoUsd: 2_500n, feeBasisPoints: 500 };
  const free = (changes: Partial<UsageFact> = {}) =>
    aByokFact({ costNanoUsd: 1_000n, freeNanoUsd: 1_000n, feeNanoUsd: 0n, ...changes });
  const amounts = (allowances: Allowances, fact: UsageFact, list: bigint) => {
    const { freeNanoUsd, feeNanoUsd } = allowances.rate(fact, list);
    return [freeNanoUsd, feeNanoUsd];
  };

  test('ends earlier at dearer prices, and begins again with the month', () => {
    const allowances = new Allowances({ ...terms, allowanceNanoUsd: 3_000n });
    deepEqual(amounts(allowances, free(), 2_000n), [2_000n, 0n]);
    deepEqual(amounts(allowances, free(), 2_000n), [1_000n, 50n]);
    deepEqual(amounts(allowances, free(), 2_000n), [0n, 100n]);
    deepEqual(amounts(allowances, free({ admittedAt: '2026-12-01T00:00:00.000Z' }), 2_000n), [
      2_000n,
      0n,
    ]);
    deepEqual(amounts(allowances, free({ accountId: 'acct_2' }), 2_000n), [2_000n, 0n]);
  });

  test('has room at lower prices for what had to pay a fee', () => {
    const allowances = new Allowances(terms);
    deepEqual(amounts(allowances, free(), 500n), [500n, 0n]);
    const partly = free({ freeNanoUsd: 400n, feeNanoUsd: 30n });
    deepEqual(amounts(allowances, partly, 500n), [500n, 0n]);
  });

  test('was used before the first fact', () => {
    const allowances = new Allowances(terms);
    allowances.begin('acct_1', '2026-11', 2_000n);
    deepEqual(amounts(allowances, free(), 1_500n), [1_000n, 25n]);
  });

  test('is not for calls of tools, which cost no fee', () => {
    const call = aToolFact({ isByok: true, credentialId: 'c-1' });
    deepEqual(amounts(new Allowances(terms), call, 9_000n), [0n, 0n]);
  });

  test('leaves a fee of another rate at that rate', () => {
    const fact = aByokFact({ costNanoUsd: 100_000n, freeNanoUsd: 0n, feeNanoUsd: 1_000n });
    deepEqual(amounts(new Allowances(terms), fact, 200_000n), [0n, 2_000n]);
  });
});
