import { deepEqual, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { LatencyRecorder } from './latencies.ts';

function resultOf(...milliseconds: readonly number[]) {
  const recorder = new LatencyRecorder();
  for (const one of milliseconds) recorder.record(one);
  return recorder.result();
}

describe('latencies', () => {
  test('are given in milliseconds', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => (index + 1) / 100);
    deepEqual(resultOf(...hundred), {
      count: 100,
      leastMs: 0.01,
      p50Ms: 0.5,
      p99Ms: 0.99,
      mostMs: 1,
    });
  });

  test('are off by less than one in a thousand at any length', () => {
    for (const milliseconds of [0.255, 1, 65.537, 1_234.567, 2_000_000]) {
      const { p50Ms } = resultOf(milliseconds);
      ok(Math.abs(p50Ms - milliseconds) <= milliseconds / 1_000, `${milliseconds}: ${p50Ms}`);
    }
  });

  test('beyond the range are counted at its ends', () => {
    const { count, leastMs, mostMs } = resultOf(-5, 1e12);
    deepEqual([count, leastMs], [2, 0.001]);
    ok(mostMs > 2_000_000);
  });

  test('of nothing are no numbers', () => {
    const { count, p50Ms, p99Ms } = resultOf();
    deepEqual([count, p50Ms, p99Ms], [0, Number.NaN, Number.NaN]);
  });
});
