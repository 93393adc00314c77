import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { headlinesOf } from './headlines.ts';
import { headlineCell, latencyCell } from './plan.ts';
import { rowsOf } from './rows.ts';
import { aSample } from './testing/a-sample.ts';

const streams = { ...headlineCell, isStreaming: true };

describe('a row', () => {
  test('holds the medians of its rounds, and the memory in MB', () => {
    const rates = [900, 1_100, 1_000];
    const [row] = rowsOf(
      rates.map((rps, index) => aSample('sluice', { round: index + 1, rps, p99_ms: rps / 100 })),
    );
    deepEqual(
      [row?.rps, row?.p99_ms, row?.rss_mb, row?.rounds, row?.latencies_counted],
      [1_000, 10, 100, 3, 1_200],
    );
    deepEqual([row?.streaming, row?.deltas_per_second], [false, null]);
  });

  test('of a stream counts its words', () => {
    const [row] = rowsOf([aSample('sluice', { cell: streams, rps: 500 })]);
    equal(row?.deltas_per_second, 16_000);
  });

  test('has ratios to those that were measured in the same round', () => {
    // The machine was half as fast in the second round: the ratio is the same.
    const rows = rowsOf([
      aSample('portkey', { round: 1, rps: 100, cpu_us_per_request: 900 }),
      aSample('portkey', { round: 2, rps: 50, cpu_us_per_request: 1_800 }),
      aSample('sluice', { round: 1, rps: 800, cpu_us_per_request: 100 }),
      aSample('sluice', { round: 2, rps: 400, cpu_us_per_request: 200 }),
    ]);
    deepEqual(
      rows.map(({ name, ratios, cpu_ratios }) => [name, ratios, cpu_ratios]),
      [
        ['portkey', { vs_portkey: 1, vs_bare_proxy: null }, { vs_portkey: 1, vs_bare_proxy: null }],
        ['sluice', { vs_portkey: 8, vs_bare_proxy: null }, { vs_portkey: 9, vs_bare_proxy: null }],
      ],
    );
  });

  test('with one wrong answer has no figures, and none is compared with it', () => {
    const rows = rowsOf([
      aSample('bare', { faults: { 'status 500': 3 } }),
      aSample('sluice', { round: 1 }),
      aSample('sluice', { round: 2, faults: { 'too short': 1 } }),
    ]);
    for (const row of rows) {
      deepEqual([row.rps, row.p50_ms, row.cpu_us_per_request], [null, null, null]);
      deepEqual(row.ratios, { vs_portkey: null, vs_bare_proxy: null });
    }
    deepEqual(
      rows.map(({ faults }) => faults),
      [{ 'status 500': 3 }, { 'too short': 1 }],
    );
  });
});

describe('what is told first', () => {
  test('is what a gateway adds to a lone request that goes without one', () => {
    const lone = (name: 'direct' | 'sluice', p50_ms: number, first_delta_p99_ms: number) => [
      aSample(name, { cell: latencyCell, p50_ms, p99_ms: p50_ms * 2 }),
      aSample(name, { cell: { ...latencyCell, isStreaming: true }, first_delta_p99_ms }),
    ];
    const rows = rowsOf([...lone('direct', 0.2, 0.5), ...lone('sluice', 0.55, 0.9)]);
    deepEqual(headlinesOf(rows), [
      {
        name: 'sluice',
        ratios: { vs_portkey: null, vs_bare_proxy: null },
        cpu_ratios: { vs_portkey: null, vs_bare_proxy: null },
        added_p50_ms: 0.35,
        added_p99_ms: 0.7,
        added_first_delta_p50_ms: null,
        added_first_delta_p99_ms: 0.4,
      },
    ]);
  });
});
