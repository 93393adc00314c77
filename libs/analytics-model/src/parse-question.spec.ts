import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { dimensionNames } from './dimensions.ts';
import { metricNames } from './metrics.ts';
import { type AskedQuestion, parseQuestion } from './parse-question.ts';

const now = new Date('2026-11-18T20:00:00.000Z');
const parsed = (asked: Partial<AskedQuestion>) =>
  parseQuestion({ metrics: ['total_usage'], ...asked }, now);
const pathsOf = (asked: Partial<AskedQuestion>) => {
  const result = parsed(asked);
  return 'issues' in result ? result.issues.map(({ path }) => path) : [];
};
const range = (start: string, end: string) => ({ time_range: { start, end } });
const month = range('2026-10-18T00:00:00Z', '2026-11-18T00:00:00Z');
const longer = range('2026-10-17T23:59:59Z', '2026-11-18T00:00:00Z');
const year = range('2025-11-18T00:00:00Z', '2026-11-18T00:00:00Z');
const filter = (field: string, operator: string, value: unknown, include_unset?: boolean) => ({
  filters: [{ field, operator, value: value as string, include_unset }],
});

describe('a question', () => {
  test('is about the last seven days, in totals, without more words', () => {
    const result = parsed({});
    ok('question' in result);
    const { startMs, endMs, granularity, limit } = result.question;
    deepEqual([endMs, endMs - startMs], [now.getTime(), 7 * 86_400_000]);
    deepEqual([granularity, limit], [undefined, 1_000]);
  });

  test('about series of groups has room for all of their buckets, unless it says how many it wants', () => {
    const limitsOf = (asked: Partial<AskedQuestion>) => {
      const result = parsed(asked);
      ok('question' in result);
      return [result.question.limit, result.question.groupLimit];
    };
    const series = { dimensions: ['model'], granularity: 'day' };
    deepEqual(limitsOf(series), [10_000, undefined]);
    deepEqual(limitsOf({ ...series, limit: 7 }), [7, undefined]);
    deepEqual(limitsOf({ ...series, group_limit: 3 }), [1_000, 3]);
    deepEqual(limitsOf({ dimensions: ['model'] }), [1_000, undefined]);
    deepEqual(limitsOf({ granularity: 'day', group_limit: 3 }), [1_000, undefined]);
  });

  test.each<[Partial<AskedQuestion>, readonly string[]]>([
    [{ metrics: ['total_usage', 'cost'] }, ['metrics.1']],
    [{ metrics: ['constructor'] }, ['metrics.0']],
    [{ metrics: ['total_usage', 'total_usage'] }, ['metrics']],
    [{ dimensions: ['model', 'toString'] }, ['dimensions.1']],
    [{ dimensions: ['model', 'user', 'app'] }, ['dimensions']],
    [{ granularity: 'year' }, ['granularity']],
    [range('2026-11-18T00:00:00Z', '2026-11-18T00:00:00Z'), ['time_range.end']],
    [range('2026-02-30T00:00:00Z', '2026-11-18T00:00:00Z'), ['time_range.start']],
    [range('2026-11-17', '2026-11-18T00:00:00+01:00'), ['time_range.start', 'time_range.end']],
    [filter('total_usage', 'eq', 'x'), ['filters.0.field']],
    [filter('model', 'like', 'x'), ['filters.0.operator']],
    [filter('model', 'in', 'x'), ['filters.0.value']],
    [filter('model', 'eq', ['x']), ['filters.0.value']],
    [filter('model', 'in', ['x', 'a\u0000b']), ['filters.0.value.1']],
    [filter('workspace', 'eq', 'ws_1'), ['filters.0.value']],
    [filter('api_key_id', 'eq', 'beef'), ['filters.0.value']],
    [filter('model', 'eq', 'x', true), ['filters.0.include_unset']],
    [
      filter('workspace', 'in', ['11111111-1111-4111-8111-111111111111'], true),
      ['filters.0.include_unset'],
    ],
    [
      {
        filters: Array.from({ length: 21 }, () => ({ field: 'model', operator: 'eq', value: 'x' })),
      },
      ['filters'],
    ],
    [{ order_by: { field: 'model', direction: 'asc' } }, ['order_by.field']],
    [{ order_by: { field: 'date', direction: 'asc' } }, ['order_by.field']],
    [{ order_by: { field: 'total_usage', direction: 'up' } }, ['order_by.direction']],
    [
      { granularity: 'minute', ...range('2026-11-18T00:00:00Z', '2026-11-18T03:00:01Z') },
      ['granularity'],
    ],
    [{ metrics: ['p99_latency'], ...longer }, ['time_range']],
    [{ dimensions: ['external_user'], ...longer }, ['time_range']],
    [{ ...filter('country', 'eq', 'DE'), ...longer }, ['time_range']],
    [range('2025-11-17T23:59:59Z', '2026-11-18T00:00:00Z'), ['time_range']],
    [{ as_of: 'yesterday' }, ['as_of']],
    [{ as_of: '2026-02-30T00:00:00Z' }, ['as_of']],
    [{ as_of: '2126-11-18T00:00:00Z' }, ['as_of']],
  ])('that breaks a rule names the field: %j', (asked, paths) => deepEqual(pathsOf(asked), paths));

  test.each<Partial<AskedQuestion>>([
    year,
    { metrics: ['p99_latency'], dimensions: ['generation_id'], ...month },
    { granularity: 'minute', ...range('2026-11-18T00:00:00Z', '2026-11-18T03:00:00Z') },
    range('2028-02-29T00:00:00Z', '2028-03-01T00:00:00.123Z'),
    { order_by: { field: 'request_count', direction: 'asc' } },
    { granularity: 'day', order_by: { field: 'date', direction: 'asc' } },
    { dimensions: ['model'], order_by: { field: 'model', direction: 'desc' } },
    filter('app', 'not_in', ['x', 7], true),
    filter('api_key_id', 'eq', 123),
    { as_of: '2026-11-01T00:00:00.5Z' },
  ])('follows the rules: %j', (asked) => deepEqual(pathsOf(asked), []));

  test('of any text is refused or understood, never thrown', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(...metricNames, ...dimensionNames),
    );
    const asked = fc.record({
      metrics: fc.array(text, { minLength: 1, maxLength: 4 }),
      dimensions: fc.array(text, { maxLength: 4 }),
      granularity: text,
      time_range: fc.record({ start: text, end: text }),
      filters: fc.array(fc.record({ field: text, operator: text, value: text }), { maxLength: 22 }),
      order_by: fc.record({ field: text, direction: text }),
    });
    fc.assert(
      fc.property(asked, (one) => {
        const result = parseQuestion(one, now);
        equal('issues' in result ? result.issues.length > 0 : true, true);
      }),
    );
  });
});
