import { equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { freeRequestLimit } from './free-requests.ts';

describe('requests to free models', () => {
  test.each<[windowKind: string, purchasedNanoUsd: bigint, limit: bigint]>([
    ['minute', 0n, 20n],
    ['minute', 10_000_000_000n, 20n],
    ['daily', 0n, 50n],
    ['daily', 9_999_999_999n, 50n],
    ['daily', 10_000_000_000n, 1_000n],
    ['daily', 5_000_000_000_000n, 1_000n],
  ])('per %s after purchases of %d nano-USD: %d', (windowKind, purchased, limit) => {
    equal(freeRequestLimit(windowKind, purchased), limit);
  });
});
