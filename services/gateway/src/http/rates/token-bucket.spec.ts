import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { manualClock } from '../../testing/manual-clock.ts';
import { createTokenBuckets } from './token-bucket.ts';

const started = Date.parse('2026-11-20T12:00:00.000Z');

describe('a token bucket', () => {
  test('allows a burst of a whole minute, then one per interval', () => {
    const clock = manualClock(started);
    const buckets = createTokenBuckets({ perMinute: 3, clock });
    const burst = [1, 2, 3, 4].map(() => buckets.take('a').allowed);
    deepEqual(burst, [true, true, true, false]);
    clock.advance(19_999);
    equal(buckets.take('a').allowed, false);
    clock.advance(1);
    equal(buckets.take('a').allowed, true);
    equal(buckets.take('a').allowed, false);
  });

  test.each([7, 11, 600, 997])('of %s a minute allows exactly so many at once', (perMinute) => {
    const buckets = createTokenBuckets({ perMinute, clock: manualClock(started) });
    const taken = Array.from({ length: perMinute + 5 }, () => buckets.take('a').allowed);
    equal(taken.filter(Boolean).length, perMinute);
    equal(taken.indexOf(false), perMinute);
  });

  test('says how long to wait and when it is full again', () => {
    const clock = manualClock(started);
    const buckets = createTokenBuckets({ perMinute: 2, clock });
    buckets.take('a');
    buckets.take('a');
    clock.advance(10_000);
    deepEqual(buckets.take('a'), {
      allowed: false,
      limit: 2,
      retryAfterSeconds: 20,
      resetAtMs: started + 60_000,
    });
  });

  test('of one name leaves the others alone', () => {
    const buckets = createTokenBuckets({ perMinute: 1, clock: manualClock(started) });
    equal(buckets.take('a').allowed, true);
    equal(buckets.take('a').allowed, false);
    equal(buckets.take('b').allowed, true);
  });

  test('can be looked into without taking', () => {
    const buckets = createTokenBuckets({ perMinute: 1, clock: manualClock(started) });
    equal(buckets.peek('a').allowed, true);
    equal(buckets.peek('a').allowed, true);
    equal(buckets.take('a').allowed, true);
    equal(buckets.peek('a').allowed, false);
  });

  test.each([-3_600_000, 3_600_000])(
    'does not care by how many milliseconds somebody sets the clock (%d)',
    (byMs) => {
      const time = manualClock(started);
      let steady = 0;
      const clock = { now: () => time.now(), steadyMs: () => steady };
      const buckets = createTokenBuckets({ perMinute: 1, clock });
      equal(buckets.take('a').allowed, true);
      time.advance(byMs);
      deepEqual(buckets.take('a'), {
        allowed: false,
        limit: 1,
        retryAfterSeconds: 60,
        resetAtMs: started + byMs + 60_000,
      });
      steady += 60_000;
      equal(buckets.take('a').allowed, true);
    },
  );
});
