import { setImmediate as nextTick } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { FairSteps } from './fair-steps.ts';

/** Returns the turns of a process whose ticks are long. */
function busyTurns(): FairSteps {
  let ms = 0;
  return new FairSteps(() => (ms += 1));
}

/** Asks for the steps of these accounts in this order. Returns the accounts in the order in which they went on. */
function stepsOf(fair: FairSteps, accounts: readonly string[]): readonly string[] {
  const wentOn: string[] = [];
  for (const account of accounts) {
    const wait = fair.next(account);
    if (wait) void wait.then(() => wentOn.push(account));
    else wentOn.push(account);
  }
  return wentOn;
}

describe('steps of loops', () => {
  test('go on at once if no other step does in this tick', async () => {
    const fair = busyTurns();
    expect(fair.next('a')).toBeUndefined();
    await nextTick();
    expect(fair.next('a')).toBeUndefined();
  });

  test('of the same tick go on one in each long tick', async () => {
    const wentOn = stepsOf(busyTurns(), ['a', 'a', 'a', 'a']);
    for (const count of [1, 2, 3, 4]) {
      expect(wentOn.length).toBe(count);
      await nextTick();
    }
  });

  test('leave three ticks to other requests while these are short', async () => {
    const wentOn = stepsOf(new FairSteps(() => 0), ['a', 'a', 'a', 'a']);
    const counts: number[] = [];
    for (let tick = 0; tick < 10; tick += 1) {
      counts.push(wentOn.length);
      await nextTick();
    }
    expect(counts).toEqual([1, 2, 2, 2, 2, 3, 3, 3, 3, 4]);
  });

  test('of one loop rest for no others', async () => {
    const fair = new FairSteps(() => 0);
    for (let step = 0; step < 3; step += 1) {
      expect(stepsOf(fair, ['a', 'a']).length).toBe(1);
      await nextTick();
      await nextTick();
    }
    expect(fair.next('a')).toBeUndefined();
  });

  test('wait behind those that came before them', async () => {
    const fair = busyTurns();
    const first = stepsOf(fair, ['a', 'a', 'a']);
    await nextTick();
    const second = stepsOf(fair, ['a']);
    await nextTick();
    expect([first.length, second.length]).toEqual([3, 0]);
    await nextTick();
    expect(second.length).toBe(1);
  });

  test('of an account with many do not hold up those of another', async () => {
    const wentOn = stepsOf(busyTurns(), ['many', 'many', 'many', 'many', 'few', 'few']);
    while (wentOn.length < 6) await nextTick();
    expect(wentOn).toEqual(['many', 'many', 'few', 'many', 'few', 'many']);
  });

  test('go on faster the more of them wait', async () => {
    const count = 10_000;
    const wentOn = stepsOf(busyTurns(), Array<string>(count).fill('a'));
    let ticks = 0;
    for (; wentOn.length < count; ticks += 1) await nextTick();
    expect(ticks).toBeLessThan(300);
  });
});
