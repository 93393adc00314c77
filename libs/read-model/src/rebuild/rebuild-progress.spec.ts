import { deepEqual, equal } from 'node:assert/strict';
import { afterEach, beforeEach, describe, test, vi } from 'vitest';
import { ProgressReport, type RebuildProgress } from './rebuild-progress.ts';

let reports: RebuildProgress[];
let report: ProgressReport;
const at = (offset: bigint) => ({ commit: offset, prepare: offset });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  reports = [];
  report = new ProgressReport(at(1_000n), (progress) => reports.push(progress));
});
afterEach(() => void vi.useRealTimers());

describe('the progress of a rebuild', () => {
  test('is told once a second, however many batches there are', () => {
    for (let batch = 0; batch < 30; batch++) {
      vi.advanceTimersByTime(100);
      report.applied(10, at(BigInt(batch + 1)));
    }
    equal(reports.length, 3);
    equal(report.events, 300);
  });

  test('has the rate of the last second, and the time that is left at the pace so far', () => {
    vi.advanceTimersByTime(1_000);
    report.applied(500, at(100n));
    vi.advanceTimersByTime(1_000);
    report.applied(100, at(200n));
    deepEqual(reports, [
      { events: 500, eventsPerSecond: 500, etaSeconds: 9 },
      { events: 600, eventsPerSecond: 100, etaSeconds: 8 },
    ]);
  });

  test('estimates nothing where the live one stood already', () => {
    vi.advanceTimersByTime(1_000);
    report.applied(500, at(1_000n));
    deepEqual(reports, [{ events: 500, eventsPerSecond: 500, etaSeconds: undefined }]);
  });
});
