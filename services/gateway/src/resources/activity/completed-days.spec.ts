import { deepEqual } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { lastCompletedDays } from './completed-days.ts';

describe('the last completed days', () => {
  test.each([
    ['2026-11-20T12:00:00.000Z', '2026-10-21', '2026-11-19'],
    ['2026-11-20T00:00:00.000Z', '2026-10-21', '2026-11-19'],
    ['2026-11-20T23:59:59.999Z', '2026-10-21', '2026-11-19'],
    ['2024-03-01T00:00:00.000Z', '2024-01-31', '2024-02-29'],
    ['2027-01-01T00:00:00.000Z', '2026-12-02', '2026-12-31'],
  ])('at %s are those from %s to %s', (now, fromDay, toDay) =>
    deepEqual(lastCompletedDays(new Date(now)), { fromDay, toDay }),
  );
});
