import { deepEqual, equal, match, ok, throws } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { parseCommandLine } from '../command-line.ts';
import { questionOf } from './question.ts';

const parse = (...words: readonly string[]) => parseCommandLine(['analytics', 'query', ...words]);
const now = new Date('2026-11-20T10:00:00.000Z');

describe('the words of a question', () => {
  test('are short for the fields of the API', () => {
    const question =
      '--metrics total_usage,request_count --by model,workspace --every day --limit 5 --chart';
    const filters = '--filter model=a=b --filter app!=x --filter model=c';
    const range = '--from 2026-11-01 --to 2026-11-20T10:30Z';
    const asked = parse(...`${question} ${filters} ${range}`.split(' '));
    ok(asked.name === 'analytics');
    deepEqual(
      [asked.command.form, asked.command.call.path, asked.command.call.body],
      [
        'chart',
        '/analytics/query',
        {
          metrics: ['total_usage', 'request_count'],
          dimensions: ['model', 'workspace'],
          granularity: 'day',
          time_range: { start: '2026-11-01T00:00:00Z', end: '2026-11-20T10:30:00Z' },
          limit: 5,
          filters: [
            { field: 'model', operator: 'in', value: ['a=b', 'c'] },
            { field: 'app', operator: 'neq', value: 'x' },
          ],
        },
      ],
    );
  });

  test('ask for a table or JSON as other commands do', () => {
    const asked = parse('--metrics', 'total_usage', '--by', 'model', '--json');
    ok(asked.name === 'analytics');
    const { call, form } = asked.command;
    deepEqual(
      [form, call.body, call.json],
      ['plain', { metrics: ['total_usage'], dimensions: ['model'] }, true],
    );
  });

  test('leave one end of the range to the time of day', () => {
    deepEqual(questionOf({ from: '2026-11-19' }, now), {
      time_range: { start: '2026-11-19T00:00:00Z', end: '2026-11-20T10:00:00.000Z' },
    });
    deepEqual(questionOf({ to: '2026-11-19' }, now), {
      time_range: { start: '2026-11-12T00:00:00.000Z', end: '2026-11-19T00:00:00Z' },
    });
    deepEqual(questionOf({}, now), {});
  });

  test('are shown by help', () => {
    const help = parse('--help');
    ok(help.name === 'help');
    match(help.text, /--by <list>[^]*--filter <field=value>[^]*--csv[^]*--chart/);
  });

  test.each([
    ['--from yesterday', '"yesterday" is neither a day like 2026-11-20 nor an instant'],
    ['--to 2026-02-30', '--to "2026-02-30" is neither a day'],
    ['--from 2026-11-20T10:00:00+01:00', '"2026-11-20T10:00:00+01:00" is neither'],
    [
      '--from 2026-11-02 --to 2026-11-01',
      '"2026-11-02T00:00:00Z" is not before --to "2026-11-01T00:00:00Z".',
    ],
    ['--filter model', '--filter "model" is neither field=value nor field!=value.'],
    ['--filter =\u001B', String.raw`--filter "=\u001b" is neither field=value`],
    ['--csv --chart', 'Option "--csv" cannot be used with option "--chart".'],
    ['--csv --json', 'Option "--csv" cannot be used with option "--json".'],
    ['--by model --dimensions app', 'Option "--by <list>" cannot be used with option'],
    ['--limit many', '--limit "many" is no number.'],
  ])('are refused when they are %j', (line, sentence) =>
    throws(
      () => parse('--metrics', 'total_usage', ...line.split(' ')),
      (error: Error) => error.name === 'WrongUsage' && error.message.includes(sentence),
    ),
  );

  test('name what is measured', () =>
    throws(() => parse('--csv'), {
      message: 'Required option "--metrics <list>" not specified.',
    }));
});

describe('the words of an export', () => {
  const parseExport = (words: string) =>
    parseCommandLine(['analytics', 'export', ...words.split(' ')]);

  test('may name the destination of a bucket, but then no file to write', () => {
    const words =
      '--format csv --table facts --destination-id 0190a000-0000-7000-8000-0000000000d1';
    const asked = parseExport(`${words} --wait`);
    ok(asked.name === 'analytics-export');
    equal(asked.command.outputPath, undefined);
    throws(
      () => parseExport(`${words} --output u.csv`),
      /--output is for an export that becomes a file/,
    );
  });

  test('are those of a question, and where the file goes', () => {
    const asked = parseExport(
      '--format csv --metrics total_usage --by model --filter app!=x --output u.csv',
    );
    ok(asked.name === 'analytics-export');
    deepEqual(
      [asked.command.outputPath, asked.command.call.path, asked.command.call.body],
      [
        'u.csv',
        '/analytics/exports',
        {
          format: 'csv',
          metrics: ['total_usage'],
          dimensions: ['model'],
          filters: [{ field: 'app', operator: 'neq', value: 'x' }],
        },
      ],
    );
  });

  test('of a table of sums end at the last whole bucket', () => {
    const range = (table: string) => {
      const asked = parseExport(`--format parquet --table ${table} --from 2020-01-01 --wait`);
      ok(asked.name === 'analytics-export');
      const { time_range: found } = asked.command.call.body ?? {};
      return (found as { readonly end: string }).end;
    };
    match(range('usage_day'), /T00:00:00\.000Z$/);
    match(range('usage_hour'), /:00:00\.000Z$/);
  });

  test('without a wait are a call like any other', () => {
    const asked = parseExport('--format parquet --table facts');
    ok(asked.name === 'analytics-export');
    equal(asked.command.waits, false);
    deepEqual(asked.command.call.body, { format: 'parquet', table: 'facts' });
  });
});
