import { deepEqual, equal } from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { test } from 'vitest';
import { Turns } from './turns.ts';

test('four replies resume per turn, in their order, and never in the turn in which they wait', async () => {
  const turns = new Turns();
  const resumed: number[] = [];
  for (let number = 1; number <= 9; number += 1) turns.wait(() => resumed.push(number));
  deepEqual(resumed, []);
  const seen: number[] = [];
  while (turns.waitingCount > 0) {
    await nextTurn();
    seen.push(resumed.length);
  }
  deepEqual(resumed, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
  deepEqual([...new Set(seen)], [4, 8, 9]);
});

test('a reply that waits again while it resumes gets a later turn', async () => {
  const turns = new Turns();
  let times = 0;
  const again = (): void => {
    times += 1;
    if (times < 3) turns.wait(again);
  };
  turns.wait(again);
  await nextTurn();
  equal(times, 1);
  while (turns.waitingCount > 0) await nextTurn();
  equal(times, 3);
});
