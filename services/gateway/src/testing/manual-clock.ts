import type { Clock, Ids } from '@sluice/clock-and-ids';

/** A clock that moves only when the test moves it. */
export function manualClock(startMs: number): Clock & { advance(byMs: number): void } {
  let nowMs = startMs;
  return {
    now: () => new Date(nowMs),
    advance(byMs) {
      nowMs += byMs;
    },
  };
}

/** UUIDs that count. */
export function countingIds(): Ids {
  let count = 0;
  return { next: () => `00000000-0000-7000-8000-${String(++count).padStart(12, '0')}` };
}
