import { deepEqual } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { csvOf } from './csv.ts';

const cellOf = (value: unknown) => csvOf(['a'], [{ a: value }])[1];

describe('CSV', () => {
  test('has a line of names and a line for each row, in the order of the columns', () => {
    const rows = [
      { model: 'sim/echo', total_usage: 0.000_022 },
      { total_usage: null, model: null },
      { total_usage: 1 },
    ];
    deepEqual(csvOf(['model', 'total_usage'], rows), [
      'model,total_usage',
      'sim/echo,0.000022',
      ',',
      ',1',
    ]);
    deepEqual(csvOf(['model'], []), ['model']);
  });

  test.each([
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['plain; text', 'plain; text'],
    ['', ''],
  ])('quotes %j', (text, cell) => deepEqual(cellOf(text), cell));

  test.each([
    ['=1+1', "'=1+1"],
    ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['  =1', "'  =1"],
    ['\t=1', "'\t=1"],
    ['\r=1', `"'\r=1"`],
    ['＝1', "'＝1"],
    ['\u001B[31m=1', '\u{FFFD}[31m=1'],
    ['a=1', 'a=1'],
  ])('makes %j harmless for spreadsheets and terminals', (text, cell) =>
    deepEqual(cellOf(text), cell),
  );

  test('makes a name of a column harmless, too', () =>
    deepEqual(csvOf(['=a', 'b,c'], []), [`'=a,"b,c"`]));

  test.each([
    [-0.5, '-0.5'],
    [1e-9, '0.000000001'],
    [12_345_678.000_000_002, '12345678.000000002'],
    [1_234_567, '1234567'],
    [Number.POSITIVE_INFINITY, ''],
    [true, 'true'],
  ])('writes %j without an exponent', (value, cell) => deepEqual(cellOf(value), cell));
});
