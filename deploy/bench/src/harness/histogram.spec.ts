import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { Histogram } from './histogram.ts';

describe('a histogram', () => {
  test('tells short latencies exactly', () => {
    const histogram = new Histogram();
    for (let microseconds = 1; microseconds <= 200; microseconds += 1)
      histogram.record(microseconds);
    deepEqual(
      [0, 0.5, 0.99, 1].map((share) => histogram.percentileMs(share)),
      [0.001, 0.1, 0.198, 0.2],
    );
  });

  test('is off by less than one in 128 at any length', () => {
    for (const microseconds of [255, 256, 257, 511, 512, 1_000, 65_537, 1_234_567, 2 ** 31 - 1]) {
      const histogram = new Histogram();
      histogram.record(microseconds);
      const told = histogram.percentileMs(0.5) * 1_000;
      ok(Math.abs(told - microseconds) <= microseconds / 128, `${microseconds} is told as ${told}`);
    }
  });

  test('counts what is out of its range at its ends', () => {
    const histogram = new Histogram();
    histogram.record(-5);
    histogram.record(1e12);
    equal(histogram.count, 2);
    equal(histogram.percentileMs(0.5), 0);
    ok(histogram.percentileMs(1) > 2_000_000);
  });

  test('comes out of another process as it went', () => {
    const [one, other] = [new Histogram(), new Histogram()];
    for (const microseconds of [10, 10, 4_000, 90_000]) one.record(microseconds);
    other.record(1);
    other.add(JSON.parse(JSON.stringify(one.slots())) as ReturnType<Histogram['slots']>);
    equal(other.count, 5);
    equal(other.percentileMs(0.5), 0.01);
    equal(other.percentileMs(1), one.percentileMs(1));
  });

  test('of nothing has no percentile', () => {
    ok(Number.isNaN(new Histogram().percentileMs(0.5)));
  });
});
