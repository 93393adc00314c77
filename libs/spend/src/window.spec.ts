import { deepEqual, equal } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { windowOf, type Interval } from './index.ts';
import { budgetWindow } from './budget.ts';
import { dayOf, startOfDay } from './window.ts';

const span = (interval: Interval, at: string) => {
  const { firstDay, endDay } = windowOf(interval, new Date(at));
  return [startOfDay(firstDay), startOfDay(endDay)].map((day) => day.toISOString().slice(0, 10));
};

describe('a window', () => {
  test('of a minute begins with it', () => {
    const budget = {
      accountId: 'a',
      scopeKind: 'free_requests',
      scopeId: 'a',
      limitNanoUsd: undefined,
      includeByok: false,
    } as const;
    const at = new Date('2026-11-18T23:59:59.999Z');
    const texts = (interval: 'minute' | 'daily' | null) => {
      const { start, end } = budgetWindow({ ...budget, interval }, at);
      return [start.toISOString(), end?.toISOString()];
    };
    deepEqual(texts('minute'), ['2026-11-18T23:59:00.000Z', '2026-11-19T00:00:00.000Z']);
    deepEqual(texts('daily'), ['2026-11-18T00:00:00.000Z', '2026-11-19T00:00:00.000Z']);
    deepEqual(texts(null), ['1970-01-01T00:00:00.000Z', undefined]);
  });

  test('of a day begins and ends at midnight UTC', () => {
    deepEqual(span('daily', '2026-03-01T00:00:00.000Z'), ['2026-03-01', '2026-03-02']);
    deepEqual(span('daily', '2026-02-28T23:59:59.999Z'), ['2026-02-28', '2026-03-01']);
  });

  test('of a week begins on Monday', () => {
    deepEqual(span('weekly', '2026-11-22T23:59:59.999Z'), ['2026-11-16', '2026-11-23']);
    deepEqual(span('weekly', '2026-11-23T00:00:00.000Z'), ['2026-11-23', '2026-11-30']);
    deepEqual(span('weekly', '1969-12-31T12:00:00.000Z'), ['1969-12-29', '1970-01-05']);
  });

  test('of a month is the month of the calendar', () => {
    deepEqual(span('monthly', '2028-02-29T12:00:00.000Z'), ['2028-02-01', '2028-03-01']);
    deepEqual(span('monthly', '2026-12-31T23:59:59.999Z'), ['2026-12-01', '2027-01-01']);
  });

  test('without interval never ends', () => {
    deepEqual(windowOf(null, new Date(0)), { firstDay: -Infinity, endDay: Infinity });
  });

  test('holds its own instant and touches the next one without a gap', () => {
    const instants = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) });
    const intervals = fc.constantFrom<Interval>('daily', 'weekly', 'monthly');
    fc.assert(
      fc.property(instants, intervals, (at, interval) => {
        const { firstDay, endDay } = windowOf(interval, at);
        equal(dayOf(at) >= firstDay && dayOf(at) < endDay, true);
        equal(windowOf(interval, startOfDay(endDay)).firstDay, endDay);
      }),
    );
  });
});
