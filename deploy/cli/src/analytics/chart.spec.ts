import { deepEqual, doesNotMatch, equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { drawChart } from './chart.ts';
import type { Row } from './rows.ts';
import { widthOf } from './text-width.ts';

const question = { metrics: ['n'] };
const day = (number: number) => `2026-11-${String(number).padStart(2, '0')}T00:00:00.000Z`;

describe('bars', () => {
  const rows = [
    { model: 'sim/echo', n: 8 },
    { model: 'sim/chat', n: 3 },
    { model: 'sim/rare', n: 0.001 },
    { model: null, n: null },
  ];

  test('are plain text of 80 columns where there is no terminal', () => {
    const lines = drawChart(rows, question, undefined);
    deepEqual(lines, [
      'n',
      `sim/echo ${'#'.repeat(65)} 8`,
      `sim/chat ${'#'.repeat(25)} 3`,
      'sim/rare # 0.001',
      '-        -',
    ]);
    equal(Math.max(...lines.map(widthOf)), 76);
  });

  test('have eighths of a block in a terminal', () =>
    deepEqual(drawChart(rows, question, 24), [
      'n',
      'sim/echo █████████ 8',
      'sim/chat ███▍ 3',
      'sim/rare ▏ 0.001',
      '-        -',
    ]));

  test('are drawn for each metric, and say how many groups are not', () => {
    const many = Array.from({ length: 60 }, (_, index) => ({ model: `m${index}`, n: 1, p: 2 }));
    const lines = drawChart(many, { metrics: ['n', 'p'] }, undefined);
    deepEqual([lines[0], lines[51], lines[52], lines[53]], ['n', 'and 10 more', '', 'p']);
  });

  test('name users by their addresses, and one total by nothing', () => {
    const [, user] = drawChart([{ user: 'user_1', user_email: 'a@b.c', n: 1 }], question, 20);
    equal(user, 'a@b.c ████████████ 1');
    deepEqual(drawChart([{ n: 2 }], question, 10), ['n', 'all ████ 2']);
    deepEqual(drawChart([], question, 10), ['No usage.']);
  });
});

describe('columns', () => {
  test('leave room for days without usage', () => {
    const rows = [
      { date__day: day(4), n: 8 },
      { date__day: day(1), n: 1 },
      { date__day: day(3), n: 4 },
    ];
    deepEqual(drawChart(rows, question, 11), [
      'n',
      '8 │      █',
      '  │      █',
      '  │      █',
      '  │      █',
      '  │    █ █',
      '  │    █ █',
      '  │    █ █',
      '  │█   █ █',
      '0 └────────',
      '   2026-11…',
    ]);
    deepEqual(drawChart(rows, question, undefined).slice(-3), [
      '  |#####       ##### #####',
      '0 +------------------------',
      '   2026-11-01 .. 2026-11-04',
    ]);
  });

  test('draw the newest where all of them are too many, and say so', () => {
    const rows = Array.from({ length: 28 }, (_, index) => ({ date__day: day(index + 1), n: 1 }));
    const lines = drawChart(rows, question, 23);
    deepEqual(lines.slice(-2), ['   2026-11-09 … 2026-1…', '8 earlier ones are not…']);
    equal(lines[1], `1 │${'█'.repeat(20)}`);
  });

  test('know months, and take buckets of a newer Sluice as they come', () => {
    const months = [
      { date__month: '2026-01-01T00:00:00.000Z', n: 1 },
      { date__month: '2026-03-01T00:00:00.000Z', n: 1 },
    ];
    deepEqual(drawChart(months, question, undefined).slice(-3), [
      '  |#####       #####',
      '0 +------------------',
      '   2026-01 .. 2026-03',
    ]);
    const years = [{ date__year: '2026-01-01T00:00:00.000Z', n: 1 }];
    equal(drawChart(years, question, undefined).at(-1), '   2026-01-01 00:00');
  });

  test('of each group have one scale, the largest group first', () => {
    const groups = Array.from({ length: 10 }, (_, index) => ({
      date__day: day(1),
      model: `m${index}`,
      n: index + 1,
    }));
    const lines = drawChart(groups, question, 40);
    deepEqual(
      lines.filter((line) => line.startsWith('n')),
      ['m9', 'm8', 'm7', 'm6', 'm5', 'm4', 'm3', 'm2'].map((name) => `n: ${name}`),
    );
    equal(lines.at(-1), 'and 2 more groups');
    ok(lines.includes('10 │█████'));
  });
});

const hostile = [
  '\u001B[2J\u001B]0;title\u0007',
  'two\r\nlines\u2028more',
  '\u202Egnp.exe',
  `z${'\u0301'.repeat(500)}`,
  '漢字の名前'.repeat(40),
  '🤖'.repeat(100),
  '❤️'.repeat(100),
  '\uD800',
  '__proto__',
  'x'.repeat(5_000),
  '',
];

test('columns of groups are under each other where they are of one time', () => {
  const rows = [
    { date__day: day(1), model: 'a', n: 2 },
    { date__day: day(3), model: 'b', n: 1 },
  ];
  const axes = drawChart(rows, question, undefined).filter((line) => line.includes(' .. '));
  deepEqual(axes, ['   2026-11-01 .. 2026-11-03', '   2026-11-01 .. 2026-11-03']);
});

describe('hostile names', () => {
  test.each([undefined, 0, 1, 2, 9, 20, 200])(
    'neither steer a terminal of %j columns nor leave it',
    (width) => {
      const bars: readonly Row[] = hostile.map((model, index) => ({ model, n: index * 1e9 + 0.5 }));
      const series = bars.map((row) => ({ date__hour: day(1), ...row }));
      const odd: readonly Row[] = [
        { date__day: 'soon', n: 1 },
        { date__day: day(1), n: '2' },
      ];
      for (const rows of [bars, series, odd]) {
        for (const line of drawChart(rows, { metrics: ['n', 'n\u001B[1m'] }, width)) {
          doesNotMatch(line, /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]|\p{M}{3}/u);
          ok(widthOf(line) <= (width || 80), JSON.stringify(line));
        }
      }
    },
  );

  test('that look the same are groups of their own', () => {
    const rows = ['a', 'a\u0000'].map((model) => ({ date__day: day(1), model, n: 1 }));
    const headings = drawChart(rows, question, 40).filter((line) => line === 'n: a');
    equal(headings.length, 2);
  });
});
