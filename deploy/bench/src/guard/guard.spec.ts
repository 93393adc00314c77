import { deepEqual, match } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { headlineCell, latencyCell } from '../comparison/plan.ts';
import { rowsOf } from '../comparison/rows.ts';
import { aSample } from '../comparison/testing/a-sample.ts';
import { bounds, checksOf, passes, checkLines } from './guard.ts';

const streams = { ...headlineCell, isStreaming: true };

/** Returns rows in which Sluice takes `times` the processor time and the latency of the bare proxy. */
function rowsWith(times: number, faults: Readonly<Record<string, number>> = {}) {
  const cells = [headlineCell, streams, latencyCell];
  return rowsOf(
    cells.flatMap((cell) => [
      aSample('bare', { cell, cpuUsPerRequest: 100, p50Ms: 0.2 }),
      aSample('sluice', { cell, cpuUsPerRequest: 100 * times, p50Ms: 0.2 * times, faults }),
    ]),
  );
}

describe('the guard', () => {
  test('lets pass what is within its bounds, and nothing that is not', () => {
    deepEqual(checksOf(rowsWith(2)).map(passes), [true, true, true]);
    deepEqual(checksOf(rowsWith(50)).map(passes), [false, false, false]);
  });

  test('breaks at its bounds, each for itself', () => {
    const justSlower = 1 / bounds.wholeCpuShare + 0.1;
    deepEqual(checksOf(rowsWith(justSlower)).map(passes)[0], false);
    deepEqual(checksOf(rowsWith(bounds.loneLatencyTimes + 0.1)).map(passes)[2], false);
  });

  test('does not let pass what was not measured, or was answered wrongly', () => {
    deepEqual(checksOf([]).map(passes), [false, false, false]);
    deepEqual(checksOf(rowsWith(2, { 'status 503': 1 })).map(passes), [false, false, false]);
  });

  test('says what holds and what is broken', () => {
    const [whole] = checkLines(checksOf(rowsWith(50)));
    match(whole ?? '', /^BROKEN {2}requests per processor time.*: 0\.02 \(at least/);
    match(checkLines(checksOf(rowsWith(1)))[0] ?? '', /^holds .*: 1\.00/);
  });
});
