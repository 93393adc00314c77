import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { brokenBy, growthOf, lagOf, sentenceOf, type Trial } from './holds.ts';
import { largestOf, type Look } from './looks.ts';

const lookAt = (second: number, changed: Partial<Look> = {}): Look => ({
  atMs: second * 1_000,
  lagSeconds: 0.3,
  oldestSeconds: 0.5,
  uncounted: 500,
  spoolBytes: 2_000_000,
  residentBytes: 300_000_000,
  ...changed,
});
const seconds = Array.from({ length: 30 }, (_, second) => second);
const good: Trial = {
  rps: 1_000,
  seconds: 30,
  answered: 30_000,
  errors: 0,
  added_p99_ms: 12,
  looks: seconds.map((second) => lookAt(second)),
};
const looksWith = (changed: (second: number) => Partial<Look>) =>
  seconds.map((second) => lookAt(second, changed(second)));

describe('a rate', () => {
  test('is sustained when nothing fails, waits or grows', () => {
    deepEqual(brokenBy(good), []);
    equal(sentenceOf([]), 'holds');
  });

  test.each<[string, Partial<Trial>, string]>([
    ['a request failed', { errors: 1 }, 'breaks errors 1.0 (≤ 0)'],
    ['answers come late', { added_p99_ms: 20.1 }, 'breaks added_p99_ms 20.1 (≤ 20)'],
    ['nothing was answered', { added_p99_ms: Number.NaN }, 'breaks added_p99_ms NaN (≤ 20)'],
    [
      'the books are late',
      { looks: looksWith(() => ({ lagSeconds: 2.5 })) },
      'breaks lag_p99_s 2.5 (≤ 2)',
    ],
    [
      'the books fall behind',
      { looks: looksWith((second) => ({ lagSeconds: second * 0.05 })) },
      'breaks lag_growth_s 1.0 (≤ 0.5)',
    ],
    [
      'facts pile up',
      { looks: looksWith((second) => ({ uncounted: second * 100 })) },
      'breaks uncounted_growth_s 2.0 (≤ 1)',
    ],
    [
      'the spool grows',
      { looks: looksWith((second) => ({ spoolBytes: second * 1_048_576 })) },
      'breaks spool_growth_mib 20.0 (≤ 8)',
    ],
  ])('is not when %s', (_, changed, sentence) => {
    equal(sentenceOf(brokenBy({ ...good, ...changed })), sentence);
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
