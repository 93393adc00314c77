import { deepEqual, equal, ok } from 'node:assert/strict';
import {
  type Filter,
  type Granularity,
  granularityNames,
  dimensionNames,
  metricNames,
  operatorNames,
  type Question,
} from '@sluice/analytics-model';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { buildQuery } from './build-query.ts';
import { readPlanOf } from './read-plan.ts';
import { dayMs, hourMs } from '../instants.ts';
import { type Kept, planOf } from '../plan.ts';

const nowMs = Date.parse('2026-11-18T20:00:00.000Z');
const kept: Kept = {
  factsMs: Date.parse('2026-10-18T00:00:00Z'),
  hoursMs: Date.parse('2026-09-17T00:00:00Z'),
  daysMs: Date.parse('2025-10-14T00:00:00Z'),
};
const everything: Kept = { factsMs: 0, hoursMs: 0, daysMs: 0 };

/** A text that no table of names has, so that it is found where it stands. */
const hostile = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 20 })
  .map((text) => `§'";--$1${text}`);

const filters: fc.Arbitrary<Filter> = fc.record({
  field: fc.constantFrom(...dimensionNames),
  operator: fc.constantFrom(...operatorNames),
  values: fc.array(hostile, { minLength: 1, maxLength: 3 }),
  includeUnset: fc.boolean(),
});

const questions: fc.Arbitrary<Question> = fc
  .record({
    metrics: fc.uniqueArray(fc.constantFrom(...metricNames), { minLength: 1, maxLength: 5 }),
    dimensions: fc.uniqueArray(fc.constantFrom(...dimensionNames), { maxLength: 2 }),
    granularity: fc.constantFrom<(Granularity | undefined)[]>(undefined, ...granularityNames),
    startMs: fc.integer({ min: nowMs - 365 * dayMs, max: nowMs - 1 }),
    lengthMs: fc.integer({ min: 1, max: 365 * dayMs }),
    filters: fc.array(filters, { maxLength: 20 }),
    limit: fc.integer({ min: 1, max: 10_000 }),
    groupLimit: fc.option(fc.integer({ min: 1, max: 10_000 }), { nil: undefined }),
    asOfMs: fc.option(fc.integer({ min: nowMs - 365 * dayMs, max: nowMs }), { nil: undefined }),
  })
  .map(({ lengthMs, ...question }) => ({
    ...question,
    endMs: Math.min(nowMs, question.startMs + lengthMs),
    orderBy: undefined,
  }));

describe('a statement', () => {
  test('has nothing that a client wrote in its text, and each parameter once', () => {
    fc.assert(
      fc.property(questions, (question) => {
        const { segments } = readPlanOf(question, everything);
        const { text, values } = buildQuery("acct'; --", question, segments);
        equal(text.includes('§'), false);
        equal(text.includes("acct'"), false);
        const used = new Set([...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
        deepEqual(
          [...used].toSorted((a, b) => a - b),
          values.map((_value, index) => index + 1),
        );
        const accounts = segments.length;
        ok(text.split(`account_id = $1::text`).length > accounts);
      }),
    );
  });
});

describe('the segments of a range', () => {
  test('cover it without a gap and without an overlap, in whole buckets', () => {
    fc.assert(
      fc.property(questions, (question) => {
        const { segments } = planOf(question, everything);
        const ordered = segments.toSorted((a, b) => a.startMs - b.startMs);
        equal(ordered[0]?.startMs, question.startMs);
        equal(ordered.at(-1)?.endMs, question.endMs);
        for (const [index, { startMs, endMs, rollup }] of ordered.entries()) {
          ok(startMs < endMs);
          if (index > 0) equal(startMs, ordered[index - 1]?.endMs);
          const bucketMs = rollup === undefined ? 1 : rollup.bucket === 'day' ? dayMs : hourMs;
          deepEqual([startMs % bucketMs, endMs % bucketMs], [0, 0]);
        }
      }),
    );
  });

  test('of which the ends are no longer kept are widened to hours or days, and say so', () => {
    const question: Question = {
      metrics: ['total_usage'],
      dimensions: [],
      granularity: undefined,
      startMs: Date.parse('2026-02-28T12:34:56Z'),
      endMs: Date.parse('2026-10-01T10:30:00Z'),
      filters: [],
      orderBy: undefined,
      limit: 10,
      groupLimit: undefined,
      asOfMs: undefined,
    };
    const { segments, warnings } = planOf(question, kept);
    deepEqual(
      segments.map(({ rollup, startMs, endMs }) => [
        rollup?.table,
        new Date(startMs).toISOString(),
        new Date(endMs).toISOString(),
      ]),
      [
        ['usage_day_model', '2026-02-28T00:00:00.000Z', '2026-10-01T00:00:00.000Z'],
        ['usage_hour', '2026-10-01T00:00:00.000Z', '2026-10-01T11:00:00.000Z'],
      ],
    );
    equal(warnings.length, 1);
  });

  test('read the whole day of their end instead of its hours if the day has no later fact', () => {
    const question: Question = {
      metrics: ['total_usage'],
      dimensions: ['model'],
      granularity: 'day',
      startMs: Date.parse('2026-11-01T00:00:00Z'),
      endMs: Date.parse('2026-11-18T20:34:56Z'),
      filters: [],
      orderBy: undefined,
      limit: 10,
      groupLimit: undefined,
      asOfMs: undefined,
    };
    const read = (endMs: number) =>
      readPlanOf({ ...question, endMs }, kept).segments.map(
        ({ rollup, startMs, endMs: pastMs, onlyIf }) => [
          rollup?.table ?? 'facts',
          new Date(startMs).toISOString().slice(5, 19),
          new Date(pastMs).toISOString().slice(5, 19),
          onlyIf?.hasFacts,
        ],
      );
    deepEqual(read(question.endMs), [
      ['usage_day_model', '11-01T00:00:00', '11-18T00:00:00', undefined],
      ['usage_hour', '11-18T00:00:00', '11-18T20:00:00', true],
      ['facts', '11-18T20:00:00', '11-18T20:34:56', true],
      ['usage_day_model', '11-18T00:00:00', '11-19T00:00:00', false],
    ]);
    deepEqual(read(Date.parse('2026-11-18T00:00:00Z')), [
      ['usage_day_model', '11-01T00:00:00', '11-18T00:00:00', undefined],
    ]);
  });

  test('read the smallest table that has all dimensions', () => {
    const of = (
      dimensions: Question['dimensions'],
      metrics: Question['metrics'] = ['total_usage'],
    ) =>
      planOf(
        {
          metrics,
          dimensions,
          granularity: 'day',
          startMs: Date.parse('2028-02-28T00:00:00Z'),
          endMs: Date.parse('2028-03-01T00:00:00Z'),
          filters: [],
          orderBy: undefined,
          limit: 10,
          groupLimit: undefined,
          asOfMs: undefined,
        },
        everything,
      ).segments.map(({ rollup }) => rollup?.table ?? 'facts');
    deepEqual(of(['model']), ['usage_day_model']);
    deepEqual(of(['model', 'user']), ['usage_day']);
    deepEqual(of(['external_user']), ['usage_hour']);
    deepEqual(of(['model'], ['p50_latency']), ['usage_hour']);
    deepEqual(of(['generation_id']), ['facts']);
  });
});
