import { deepEqual, match } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { headlineCell, latencyCell } from '../comparison/plan.ts';
import { rowsOf } from '../comparison/rows.ts';
import { aSample } from '../comparison/testing/a-sample.ts';
import { bounds, checksOf, passes, checkLines } from './guard.ts';

const streams = { ...headlineCell, isStreaming: true };

/**
 * Returns rows in which Sluice takes `times` the processor time and the latency of the bare proxy, and another door
 * `doorTimes` that of `POST /responses`.
 */
function rowsWith(
  times: number,
  {
    doorTimes = 1,
    garbage_kb_per_request = 50,
    faults = {},
  }: {
    doorTimes?: number;
    garbage_kb_per_request?: number;
    faults?: Record<string, number>;
  } = {},
) {
  const cpu_us_per_request = 100 * times * doorTimes;
  const cells = [headlineCell, streams, latencyCell];
  return rowsOf(
    cells.flatMap((cell) => [
      aSample('bare', { cell, cpu_us_per_request: 100, p50_ms: 0.2 }),
      aSample('sluice', {
        cell,
        cpu_us_per_request: 100 * times,
        garbage_kb_per_request,
        p50_ms: 0.2 * times,
        faults,
      }),
      aSample('sluice-chat', { cell, cpu_us_per_request, faults }),
      aSample('sluice-messages', { cell, cpu_us_per_request, faults }),
      aSample('sluice-embeddings', { cell, cpu_us_per_request, faults }),
    ]),
  );
}

const nineOf = (value: boolean) => Array.from({ length: 9 }, () => value);

describe('the guard', () => {
  test('lets pass what is within its bounds, and nothing that is not', () => {
    deepEqual(checksOf(rowsWith(2)).map(passes), nineOf(true));
    deepEqual(
      checksOf(rowsWith(50, { doorTimes: 1.21, garbage_kb_per_request: 1_000 })).map(passes),
      nineOf(false),
    );
  });

  test('breaks at its bounds, each for itself', () => {
    const justSlower = 1 / bounds.wholeCpuShare + 0.1;
    deepEqual(checksOf(rowsWith(justSlower)).map(passes)[0], false);
    deepEqual(checksOf(rowsWith(bounds.loneLatencyTimes + 0.1)).map(passes)[2], false);
    const moreGarbage = rowsWith(2, { garbage_kb_per_request: bounds.garbageKb + 1 });
    deepEqual(checksOf(moreGarbage).map(passes)[3], false);
    const slowDoors = rowsWith(2, { doorTimes: bounds.doorCpuTimes + 0.01 });
    deepEqual(checksOf(slowDoors).map(passes), [
      true,
      true,
      true,
      true,
      false,
      false,
      false,
      false,
      true,
    ]);
    const slowVectors = rowsWith(2, { doorTimes: bounds.vectorCpuTimes + 0.01 });
    deepEqual(checksOf(slowVectors).map(passes).at(-1), false);
  });

  test('does not let pass what was not measured, or was answered wrongly', () => {
    deepEqual(checksOf([]).map(passes), nineOf(false));
    const faults = { 'status 503': 1 };
    deepEqual(checksOf(rowsWith(2, { faults })).map(passes), nineOf(false));
  });

  test('says what holds and what is broken', () => {
    const [whole] = checkLines(checksOf(rowsWith(50)));
    match(whole ?? '', /^BROKEN {2}requests per processor time.*: 0\.02 \(at least/);
    match(checkLines(checksOf(rowsWith(1)))[0] ?? '', /^holds .*: 1\.00/);
  });
});
