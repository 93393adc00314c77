import { deepEqual } from 'node:assert/strict';
import { parseQuestion } from '@sluice/analytics-model';
import { aFact } from '@sluice/usage-facts/testing';
import type { AnalyticsStore } from '../analytics-store.ts';
import { bus, changesOf } from './contract-world.ts';

/** A store of this test has begun then. */
export const afterLeapDay = new Date('2028-03-02T20:00:00.000Z');

/** Counts usage around the end of a February with 29 days, and asks for its buckets. */
export async function checkLeapDay(store: AnalyticsStore): Promise<void> {
  const instants = [
    '2028-02-28T00:00:00.000Z',
    '2028-02-28T23:59:59.999Z',
    '2028-02-29T00:00:00.000Z',
    '2028-02-29T23:59:59.999Z',
    '2028-03-01T00:00:00.000Z',
  ];
  await store.apply(changesOf(instants.map((admittedAt) => aFact({ admittedAt }))), bus);
  const countsBy = async (granularity: string) => {
    const parsed = parseQuestion(
      {
        metrics: ['request_count'],
        granularity,
        time_range: { start: '2027-03-04T00:00:00Z', end: '2028-03-02T00:00:00Z' },
      },
      afterLeapDay,
    );
    if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues));
    const { rows } = await store.answer('acct_1', parsed.question);
    return rows.map(
      ({ at, metrics }) => `${at?.toISOString().slice(0, 10)} ${metrics.request_count}`,
    );
  };
  deepEqual(await countsBy('day'), ['2028-03-01 1', '2028-02-29 2', '2028-02-28 2']);
  deepEqual(await countsBy('month'), ['2028-03-01 1', '2028-02-01 4']);
  // A Monday.
  deepEqual(await countsBy('week'), ['2028-02-28 5']);
  const parsed = parseQuestion(
    {
      metrics: ['request_count'],
      time_range: { start: '2028-02-29T00:00:00Z', end: '2028-03-01T00:00:00Z' },
    },
    afterLeapDay,
  );
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues));
  const { rows } = await store.answer('acct_1', parsed.question);
  deepEqual(
    rows.map(({ metrics }) => metrics.request_count),
    [2],
  );
}
