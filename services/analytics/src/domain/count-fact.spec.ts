import { deepEqual } from 'node:assert/strict';
import { aDiscountedFact, aFact } from '@sluice/usage-facts/testing';
import { describe, test } from 'vitest';
import { correctionOf } from '../store/testing/contract-world.ts';
import { rowBeforeCorrection, rowOfCorrection, rowOfFact } from './count-fact.ts';

describe('the row of a fact', () => {
  test('has the cost of a search, of a page and of a file that was read, each by itself', () => {
    const costs = { costNanoUsd: 7n, upstreamCostNanoUsd: 5n };
    const types = ['service:web_search', 'service:web_fetch', 'plugin:file-parser', 'service:bash'];
    const counted = types.map((toolType) => {
      const { amounts } = rowOfFact({ ...aFact(), ...costs, toolType }, 0) ?? {};
      const { web_nano_usd: web, web_fetch_nano_usd: page, file_nano_usd: file } = amounts ?? {};
      return [web, page, file, amounts?.service_nano_usd];
    });
    deepEqual(counted, [
      [7n, null, null, 7n],
      [null, 7n, null, 7n],
      [null, null, 7n, 7n],
      [null, null, null, 7n],
    ]);
  });

  test('has the discounts of its correction in place of those of the estimate, to the nano-USD', () => {
    const none = rowOfFact(aFact(), 0)?.amounts;
    deepEqual([none?.data_nano_usd, none?.cache_nano_usd], [null, null]);
    const off = { dataDiscountNanoUsd: 1n, cacheDiscountNanoUsd: 3n };
    const estimate = aDiscountedFact({ costNanoUsd: 0n, ...off });
    const later = { dataDiscountNanoUsd: 20n, cacheDiscountNanoUsd: -5n };
    const truth = { costNanoUsd: 1_980n, ...later };
    const correction = correctionOf(estimate, truth);
    const discountsOf = (row: ReturnType<typeof rowOfFact>) => [
      row?.amounts.data_nano_usd,
      row?.amounts.cache_nano_usd,
    ];
    deepEqual(discountsOf(rowBeforeCorrection(correction)), [-1n, -3n]);
    deepEqual(discountsOf(rowOfCorrection(correction)), [-20n, 5n]);
  });
});
