import { deepEqual, equal, ok } from 'node:assert/strict';
import {
  dimensionNames,
  type Filter,
  type Granularity,
  granularityNames,
  metricNames,
  operatorNames,
  type Question,
} from '@sluice/analytics-model';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { dayMs, hourMs } from '../instants.ts';
import { type Kept, planOf } from '../plan.ts';
import { buildQuery } from './build-query.ts';
import { sealedSegments } from './segments.ts';

const nowMs = Date.parse('2026-11-18T20:00:00.000Z');
const everything: Kept = { factsMs: 0, hoursMs: 0, daysMs: 0 };

/** A text that no table of names has, so that it is found where it stands. */
const hostile = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 20 })
  .map((text) => `§'";--{p1:String}${text}`);

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

const sealedAt = fc.integer({ min: 0, max: 366 * 24 }).map((hours) => nowMs - hours * hourMs);

describe('a statement for ClickHouse', () => {
  test('has nothing that a client wrote in its text, each parameter, and the account of every table', () => {
    fc.assert(
      fc.property(questions, sealedAt, (question, sealedMs) => {
        const segments = sealedSegments(planOf(question, everything).segments, { sealedMs });
        const { text, values } = buildQuery("acct'; --", question, segments);
        equal(text.includes('§'), false);
        equal(text.includes("acct'"), false);
        const used = [...text.matchAll(/\{(\w+):[\w()]+\}/g)].map(([, name]) => name);
        deepEqual(new Set(used), new Set(Object.keys(values)));
        const tables = [...text.matchAll(/FROM (\w+) FINAL WHERE account_id = \{p1:String\} AND/g)];
        equal(tables.length, text.split(' FINAL ').length - 1);
        ok(tables.length >= segments.length);
      }),
    );
  });

  test('splits a list that is too large for one parameter', () => {
    const values = Array.from({ length: 1_000 }, (_, index) => `${'é'.repeat(511)}${index}`);
    const { values: parameters } = buildQuery(
      'acct_1',
      {
        metrics: ['request_count'],
        dimensions: [],
        granularity: undefined,
        startMs: nowMs - hourMs,
        endMs: nowMs,
        filters: [{ field: 'app', operator: 'in', values, includeUnset: false }],
        orderBy: undefined,
        limit: 1,
        groupLimit: undefined,
        asOfMs: undefined,
      },
      [{ rollup: undefined, startMs: nowMs - hourMs, endMs: nowMs }],
    );
    const lists = Object.values(parameters).filter((one) => typeof one === 'object');
    deepEqual(lists.flat(), values);
    ok(lists.every((list) => Buffer.byteLength(JSON.stringify(list)) < 131_072));
  });
});

describe('the segments of a range', () => {
  test('cover it once, and read no sums of hours that are not added up', () => {
    fc.assert(
      fc.property(questions, sealedAt, (question, sealedMs) => {
        const planned = planOf(question, everything).segments;
        const segments = sealedSegments(planned, { sealedMs });
        const ordered = segments.toSorted((a, b) => a.startMs - b.startMs);
        equal(ordered[0]?.startMs, question.startMs);
        equal(ordered.at(-1)?.endMs, question.endMs);
        for (const [index, { startMs, endMs, rollup }] of ordered.entries()) {
          ok(startMs < endMs);
          if (index > 0) equal(startMs, ordered[index - 1]?.endMs);
          if (rollup === undefined) continue;
          ok(endMs <= sealedMs);
          const bucketMs = rollup.bucket === 'day' ? dayMs : hourMs;
          deepEqual([startMs % bucketMs, endMs % bucketMs], [0, 0]);
        }
      }),
    );
  });
});
