import { deepEqual } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { type OverloadFigures, verdictOf } from './verdict.ts';

const good: OverloadFigures = {
  peakPerSecond: 1_000,
  peak_cpuUsPerRequest: 1_000,
  busyShare: 1,
  offeredPerSecond: 3_000,
  servedPerSecond: 900,
  served_p50Ms: 300,
  served_p99Ms: 500,
  refusedPerSecond: 2_100,
  refused_p50Ms: 5,
  refused_p99Ms: 50,
  loadGoesFirst: true,
  load_late_p99Ms: 1,
  faults: {},
  managementAnswered: 10,
  managementFailed: 0,
  management_p99Ms: 200,
  before_p99Ms: 5,
  recoverySeconds: 10,
};

describe('an overload', () => {
  test('is stood when every threshold holds', () => {
    const { isHeld, servedShare } = verdictOf(good);
    deepEqual([isHeld, servedShare], [true, 0.9]);
  });

  test.each([
    ['served', { servedPerSecond: 899 }],
    ['offered', { offeredPerSecond: 2_000 }],
    ['refusedSoon', { refused_p99Ms: 50.1 }],
    ['refusedSoon', { refused_p99Ms: Number.NaN }],
    ['nothingElse', { faults: { 'connection broken': 1 } }],
    ['recovered', { recoverySeconds: 10.1 }],
    ['recovered', { recoverySeconds: null }],
    ['managed', { managementFailed: 1 }],
    ['managed', { managementAnswered: 0 }],
  ])('is not when one does not: %s', (name, wrong) => {
    const { isHeld, held } = verdictOf({ ...good, ...wrong });
    const broken = Object.entries(held).flatMap(([one, holds]) => (holds ? [] : [one]));
    deepEqual([isHeld, broken], [false, [name]]);
  });
});
