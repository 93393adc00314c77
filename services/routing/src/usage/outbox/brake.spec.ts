import { equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { Brake } from './brake.ts';

const stepMs = 50;
const lookEveryMs = 500;
/** Further requests are refused. */
const queuedMax = 2_000;

interface Run {
  readonly arrivePerMs: number;
  readonly countPerMs: (atMs: number) => number;
  readonly forMs: number;
}

/** Requests that come, start as fast as the brake allows, and are facts at once, which are counted by these rates. */
function simulate({ arrivePerMs, countPerMs, forMs }: Run) {
  const brake = new Brake();
  const waiting: number[] = [];
  let counted = 0;
  let asked = 0;
  let queued = 0;
  let started = 0;
  let mostWaitedMs = 0;
  let isBounded = false;
  let due = 0;
  let room = 0;
  for (let nowMs = 0; nowMs < forMs; nowMs += stepMs) {
    asked += arrivePerMs * stepMs;
    queued = Math.min(queuedMax, queued + arrivePerMs * stepMs);
    due = Math.min(queued, due + (brake.startsPerMsMax ?? Infinity) * stepMs);
    isBounded ||= brake.startsPerMsMax !== undefined;
    for (; due >= 1; due -= 1) {
      started += 1;
      queued -= 1;
      waiting.push(nowMs);
    }
    room = Math.min(room + countPerMs(nowMs) * stepMs, waiting.length + 1);
    const taken = waiting.splice(0, Math.floor(room));
    room -= taken.length;
    counted += taken.length;
    for (const sinceMs of taken) mostWaitedMs = Math.max(mostWaitedMs, nowMs - sinceMs);
    if (nowMs % lookEveryMs !== 0) continue;
    const oldestAgeMs = waiting[0] === undefined ? 0 : nowMs - waiting[0];
    brake.look({ nowMs, size: waiting.length, counted, oldestAgeMs });
  }
  return { brake, started, asked, mostWaitedMs, isBounded, left: waiting.length };
}

describe('the brake', () => {
  test('keeps each fact from waiting for 5 s when the ledger counts a third of what comes, or more', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.5, max: 5, noNaN: true }),
        fc.double({ min: 1 / 3, max: 1.5, noNaN: true }),
        (arrivePerMs, speed) => {
          const countPerMs = () => arrivePerMs * speed;
          const { mostWaitedMs } = simulate({ arrivePerMs, countPerMs, forMs: 60_000 });
          ok(mostWaitedMs < 5_000, `${mostWaitedMs} ms`);
        },
      ),
    );
  });

  test('starts about as many as are counted, and all once the ledger is fast again', () => {
    const slow = { arrivePerMs: 4, countPerMs: () => 2, forMs: 60_000 };
    const { started, asked } = simulate(slow);
    ok(Math.abs(started / asked - 0.5) < 0.05, `${started} of ${asked}`);
    const countPerMs = (atMs: number) => (atMs < 60_000 ? 2 : 8);
    const { brake } = simulate({ ...slow, countPerMs, forMs: 120_000 });
    equal(brake.startsPerMsMax, undefined);
  });

  test('bounds nothing when the ledger keeps up, after a burst, and while it is away', () => {
    const runs: readonly Run[] = [
      { arrivePerMs: 4, countPerMs: () => 4.2, forMs: 60_000 },
      { arrivePerMs: 0.1, countPerMs: () => 0.05, forMs: 5_000 },
      { arrivePerMs: 1, countPerMs: () => 0, forMs: 60_000 },
      { arrivePerMs: 1, countPerMs: (atMs) => (atMs < 30_000 ? 0 : 3), forMs: 90_000 },
    ];
    for (const run of runs) equal(simulate(run).isBounded, false);
    const brake = new Brake();
    brake.look({ nowMs: 0, size: 0, counted: 0, oldestAgeMs: 0 });
    brake.look({ nowMs: 500, size: 5_000, counted: 10, oldestAgeMs: 300 });
    equal(brake.startsPerMsMax, undefined);
  });

  test('lets a quarter start of what is counted while the ledger is seconds behind, and all when it goes away', () => {
    const brake = new Brake();
    brake.look({ nowMs: 0, size: 4_000, counted: 0, oldestAgeMs: 1_000 });
    brake.look({ nowMs: 500, size: 4_000, counted: 100, oldestAgeMs: 1_500 });
    equal(brake.startsPerMsMax, 0.05);
    brake.look({ nowMs: 5_600, size: 4_000, counted: 100, oldestAgeMs: 6_600 });
    equal(brake.startsPerMsMax, undefined);
  });

  test('takes a ledger that counts in batches for as fast as it is', () => {
    const brake = new Brake();
    brake.look({ nowMs: 0, size: 0, counted: 0, oldestAgeMs: 0 });
    const bounds: (number | undefined)[] = [];
    for (let look = 1; look <= 20; look += 1) {
      // 2,000 facts in each second look.
      const counted = Math.floor(look / 2) * 2_000;
      brake.look({ nowMs: look * 500, size: 5_000, counted, oldestAgeMs: 2_000 });
      if (look > 8) bounds.push(brake.startsPerMsMax);
    }
    for (const bound of bounds) ok((bound ?? 2) > 1.5 && (bound ?? 2) < 2.5, `${bound}`);
  });
});
