import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { freeModelQuota, isFreeModel } from './free-models.ts';

describe('the quota of free variants', () => {
  test('is 50 a day, and 1000 once 10 USD were bought', () => {
    deepEqual(freeModelQuota(0n, 3), { limit: 50, used: 3, remaining: 47 });
    equal(freeModelQuota(9_999_999_999n, 0).limit, 50);
    deepEqual(freeModelQuota(10_000_000_000n, 1_001), { limit: 1_000, used: 1_001, remaining: 0 });
  });

  test('counts models whose name says that they are free', () => {
    deepEqual(['sim/echo:free', 'sim/echo', 'sim/free'].map(isFreeModel), [true, false, false]);
  });
});
