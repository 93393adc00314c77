import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { growthOf, lagOf, type Trial, whyNotSustained } from './holds.ts';
import { largestOf, type Look } from './looks.ts';

const lookAt = (second: number, changed: Partial<Look> = {}): Look => ({
  atMs: second * 1_000,
  lagSeconds: 0.3,
  uncounted: 500,
  spoolBytes: 2_000_000,
  residentBytes: 300_000_000,
  ...changed,
});
const seconds = Array.from({ length: 30 }, (_, second) => second);
const good: Trial = {
  requestsPerSecond: 1_000,
  seconds: 30,
  answered: 30_000,
  errors: 0,
  added_p99Ms: 12,
  looks: seconds.map((second) => lookAt(second)),
};
const looksWith = (changed: (second: number) => Partial<Look>) =>
  seconds.map((second) => lookAt(second, changed(second)));

describe('a rate', () => {
  test('is sustained when nothing fails, waits or grows', () => {
    deepEqual(whyNotSustained(good), []);
  });

  test.each<[string, Partial<Trial>, string]>([
    ['a request failed', { errors: 1 }, '1 requests failed'],
    ['answers come late', { added_p99Ms: 20.1 }, 'p99 is 20.1 ms longer'],
    ['nothing was answered', { added_p99Ms: Number.NaN }, 'p99 is NaN ms longer'],
    ['the books are late', { looks: looksWith(() => ({ lagSeconds: 2.5 })) }, 'the lag is 2.5 s'],
    [
      'the books fall behind',
      { looks: looksWith((second) => ({ lagSeconds: second * 0.05 })) },
      'the lag grew by 1.0 s',
    ],
    [
      'facts pile up',
      { looks: looksWith((second) => ({ uncounted: second * 100 })) },
      'uncounted facts grew by 2.0 s of the rate',
    ],
    [
      'the spool grows',
      { looks: looksWith((second) => ({ spoolBytes: second * 1_048_576 })) },
      'the spool grew by 20.0 MiB',
    ],
  ])('is not when %s', (_, changed, sentence) => {
    deepEqual(whyNotSustained({ ...good, ...changed }), [sentence]);
  });
});

test('the lag of one bad second among a hundred is the longest, not the 99 %', () => {
  const looks = Array.from({ length: 100 }, (_, second) =>
    lookAt(second, { lagSeconds: second === 50 ? 9 : 1 }),
  );
  deepEqual(lagOf(looks), { p99Seconds: 1, mostSeconds: 9 });
});

test('growth is that between the first and the last third', () => {
  equal(
    growthOf(
      looksWith((second) => ({ uncounted: second < 15 ? 100 : 300 })),
      ({ uncounted }) => uncounted,
    ),
    200,
  );
  equal(
    growthOf([lookAt(0), lookAt(1)], ({ uncounted }) => uncounted),
    0,
  );
});

test('a metric is the largest of its series, and none of a longer name', () => {
  const text =
    'usage_uncounted{a="1"} 4\nusage_uncounted{a="2"} 7\nusage_uncounted_total 99\n# usage_uncounted 8';
  equal(largestOf(text, 'usage_uncounted'), 7);
  equal(largestOf(text, 'ledger_lag_seconds'), 0);
});
