import { equal } from 'node:assert/strict';
import { afterEach, beforeEach, describe, test, vi } from 'vitest';
import { Lag } from './lag.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'], now: 100_000 }));
afterEach(() => void vi.useRealTimers());

describe('the lag of a projection', () => {
  test('is the age of what it does not show yet', () => {
    const lag = new Lag();
    equal(lag.seconds(), 0);
    lag.behind(new Date(90_000));
    equal(lag.seconds(), 10);
    vi.advanceTimersByTime(5_000);
    equal(lag.seconds(), 15);
    lag.none();
    equal(lag.seconds(), 0);
  });

  test('grows while nobody knows what waits, from when that began', () => {
    const lag = new Lag();
    lag.unknown();
    vi.advanceTimersByTime(3_000);
    lag.unknown();
    equal(lag.seconds(), 3);
    lag.behind(new Date(40_000));
    lag.unknown();
    equal(lag.seconds(), 63);
  });

  test.each([10_000, 900_000])('grows evenly when somebody sets the clock to %d', (setMs) => {
    const lag = new Lag();
    lag.unknown();
    vi.advanceTimersByTime(3_000);
    vi.setSystemTime(setMs);
    equal(lag.seconds(), 3);
  });

  test('is never negative when the clock of the event store is ahead', () => {
    const lag = new Lag();
    lag.behind(new Date(200_000));
    equal(lag.seconds(), 0);
  });
});
