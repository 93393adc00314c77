import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { chartOf } from './chart.ts';
import { latencyCell } from './plan.ts';
import { rowsOf } from './rows.ts';
import { aSample } from './testing/a-sample.ts';

const machine = {
  processors: 2,
  model: 'Some & <other>',
  memoryBytes: 1,
  kernel: '6',
  node: 'v24',
  loadBefore: 0,
};
const about = {
  date: '2026-11-21T10:00:00.000Z',
  commit: 'abc',
  machine,
  pinned: '',
  left_out: null,
  settings: {},
  ratios: undefined,
  headlines: [],
  at_rest: [],
};

describe('the picture', () => {
  const rows = rowsOf([
    aSample('direct', { cell: latencyCell, p50_ms: 0.2 }),
    aSample('bare', { rps: 10_000 }),
    aSample('sluice', { rps: 5_000 }),
    aSample('portkey', { faults: { 'status 500': 1 } }),
    aSample('sluice', { cell: latencyCell, p50_ms: 0.5 }),
  ]);
  const svg = chartOf({ ...about, rows });

  test('draws what is half as much half as long', () => {
    const lengths = [...svg.matchAll(/width="([\d.]+)" height="20"/g)].map(([, width]) =>
      Number(width),
    );
    const [bare = 0, sluice = 0] = lengths;
    ok(Math.abs(bare / sluice - 2) < 0.01, `${bare} and ${sluice}`);
  });

  test('leaves out what was answered wrongly, and what was not measured', () => {
    ok(!svg.includes('Portkey'));
    ok(!svg.includes('Words of streams'));
  });

  test('tells the machine, the day and the commit, and is well formed', () => {
    match(svg, /2 × Some &amp; &lt;other&gt;, Node\.js v24, 2026-11-21, commit abc/);
    const opened = [...svg.matchAll(/<(?!\/)(\w+)[^>]*[^/]>/g)].map(([, name]) => name);
    const closed = [...svg.matchAll(/<\/(\w+)>/g)].map(([, name]) => name);
    for (const element of ['svg', 'text'])
      equal(
        opened.filter((name) => name === element).length,
        closed.filter((name) => name === element).length,
      );
    deepEqual(new Set(opened), new Set(['svg', 'text']));
  });

  test('shows what is added to a lone request', () => match(svg, />0\.3 ms</));
});
