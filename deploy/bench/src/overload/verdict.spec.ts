import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { type OverloadFigures, verdictOf } from './verdict.ts';

const withoutManagement: OverloadFigures = {
  peakPerSecond: 1_000,
  peak_cpuUsPerRequest: 1_000,
  busyShare: 1,
  refusal_cpuUs: 100,
  offeredPerSecond: 3_000,
  servedPerSecond: 600,
  served_p50Ms: 100,
  served_p99Ms: 250,
  served_mostMs: 300,
  refusedPerSecond: 2_400,
  refused_p50Ms: 5,
  refused_p99Ms: 50,
  loadGoesFirst: true,
  load_late_p99Ms: 1,
  faults: {},
  cold_unserved: 0,
  warm_unserved: 0,
  before_p99Ms: 5,
  recoverySeconds: 2,
};
const good: OverloadFigures = {
  ...withoutManagement,
  managementAnswered: 10,
  managementFailed: 0,
  management_p99Ms: 200,
};

describe('an overload', () => {
  test('is stood when every threshold holds', () => {
    const { isHeld, servedShare } = verdictOf(good);
    deepEqual([isHeld, servedShare], [true, 0.6]);
  });

  test.each([
    ['served', { servedPerSecond: 599 }],
    ['servedSoon', { served_p99Ms: 250.1 }],
    ['keptServed', { cold_unserved: 1 }],
    ['keptServed', { warm_unserved: 1 }],
    ['offered', { offeredPerSecond: 2_000 }],
    ['refusedSoon', { refused_p99Ms: 50.1 }],
    ['refusedSoon', { refused_p99Ms: Number.NaN }],
    ['nothingElse', { faults: { 'connection broken': 1 } }],
    ['recovered', { recoverySeconds: 2.1 }],
    ['recovered', { recoverySeconds: null }],
    ['managed', { managementFailed: 1 }],
    ['managed', { managementAnswered: 0 }],
  ])('is not when one does not: %s', (name, wrong) => {
    const { isHeld, held } = verdictOf({ ...good, ...wrong });
    const broken = Object.entries(held).flatMap(([one, holds]) => (holds ? [] : [one]));
    deepEqual([isHeld, broken], [false, [name]]);
  });

  test('leaves the share that the costs of a request and of a refusal allow', () => {
    const { shareByCpu } = verdictOf({ ...good, refusal_cpuUs: 200 });
    equal(shareByCpu.toFixed(3), '0.500');
  });

  test('of a subject without management is stood without it', () => {
    const { isHeld, held } = verdictOf(withoutManagement);
    deepEqual([isHeld, 'managed' in held], [true, false]);
  });

  test('of streams is stood with more of the peak', () => {
    const { held } = verdictOf({ ...good, servedPerSecond: 849 }, { isStreaming: true });
    const { isHeld } = verdictOf({ ...good, servedPerSecond: 850 }, { isStreaming: true });
    deepEqual([held['served'], isHeld], [false, true]);
  });
});
