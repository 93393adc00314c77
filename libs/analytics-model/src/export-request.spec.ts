import { deepEqual } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { type AskedExport, parseExport } from './index.ts';

const now = new Date('2026-11-20T09:30:15.250Z');

const issuesOf = (asked: AskedExport) => {
  const parsed = parseExport(asked, now);
  return 'issues' in parsed ? parsed.issues.map(({ path }) => path) : [];
};

const rangeOf = (asked: AskedExport) => {
  const parsed = parseExport(asked, now);
  if ('issues' in parsed || parsed.request.kind !== 'table') throw new Error('no table');
  const { startMs, endMs } = parsed.request;
  return [startMs, endMs].map((ms) => new Date(ms).toISOString());
};

const days = (start: string, end: string) => ({
  start: `${start}T00:00:00Z`,
  end: `${end}T00:00:00Z`,
});

describe('an export of a table', () => {
  test('is of the last seven whole days, or hours, or days up to now', () => {
    deepEqual(rangeOf({ table: 'usage_day' }), [
      '2026-11-13T00:00:00.000Z',
      '2026-11-20T00:00:00.000Z',
    ]);
    deepEqual(rangeOf({ table: 'usage_hour' }), [
      '2026-11-13T09:00:00.000Z',
      '2026-11-20T09:00:00.000Z',
    ]);
    deepEqual(
      rangeOf({ table: 'facts' }),
      [now.getTime() - 7 * 86_400_000, now.getTime()].map((ms) => new Date(ms).toISOString()),
    );
  });

  test('begins and ends at a bucket', () => {
    const half = { start: '2026-11-01T12:00:00Z', end: '2026-11-02T12:00:00Z' };
    deepEqual(issuesOf({ table: 'usage_day', time_range: half }), [
      'time_range.start',
      'time_range.end',
    ]);
    deepEqual(issuesOf({ table: 'usage_hour', time_range: half }), []);
    const odd = { start: '2026-11-01T12:00:00Z', end: '2026-11-02T12:00:01Z' };
    deepEqual(issuesOf({ table: 'usage_hour', time_range: odd }), ['time_range.end']);
    deepEqual(issuesOf({ table: 'facts', time_range: odd }), []);
  });

  test('is as long as its rows are kept', () => {
    deepEqual(issuesOf({ table: 'facts', time_range: days('2026-10-20', '2026-11-20') }), []);
    deepEqual(issuesOf({ table: 'facts', time_range: days('2026-10-19', '2026-11-20') }), [
      'time_range',
    ]);
    const year = days('2025-10-20', '2026-11-20');
    deepEqual(issuesOf({ table: 'usage_day', time_range: year }), ['time_range']);
    const most = days('2025-11-20', '2026-11-20');
    deepEqual(issuesOf({ table: 'usage_day', time_range: most }), []);
    deepEqual(issuesOf({ table: 'usage_hour', time_range: most }), ['time_range']);
  });

  test('has filters of its own columns only', () => {
    const filters = [
      { field: 'model', operator: 'eq', value: 'sim/echo' },
      { field: 'provider', operator: 'eq', value: 'sim' },
    ];
    deepEqual(issuesOf({ table: 'usage_day', filters }), ['filters.1.field']);
    deepEqual(issuesOf({ table: 'usage_hour', filters }), []);
  });

  test('has no field of a question', () => {
    const asked = {
      table: 'facts',
      metrics: ['total_usage'],
      dimensions: ['model'],
      granularity: 'day',
      order_by: { field: 'date', direction: 'asc' },
      limit: 3,
      group_limit: 3,
      as_of: '2026-11-19T00:00:00Z',
    };
    deepEqual(issuesOf(asked), [
      'metrics',
      'dimensions',
      'granularity',
      'order_by',
      'limit',
      'group_limit',
      'as_of',
    ]);
    deepEqual(issuesOf({ table: 'facts', metrics: [], dimensions: [] }), []);
    deepEqual(issuesOf({ table: 'names' }), ['table']);
  });
});

describe('an export of a question', () => {
  test('follows the rules of questions', () => {
    deepEqual(issuesOf({ metrics: ['total_usage'] }), []);
    deepEqual(issuesOf({ metrics: ['spend'], granularity: 'second' }), [
      'metrics.0',
      'granularity',
    ]);
    deepEqual(issuesOf({}), ['metrics']);
  });

  test('has all rows unless it says how many', () => {
    const limitOf = (asked: AskedExport) => {
      const parsed = parseExport({ metrics: ['total_usage'], ...asked }, now);
      return 'request' in parsed && parsed.request.kind === 'question'
        ? parsed.request.question.limit
        : undefined;
    };
    deepEqual([limitOf({}), limitOf({ limit: 20 })], [1_000_001, 20]);
  });
});
