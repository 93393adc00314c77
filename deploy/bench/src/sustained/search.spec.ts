import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { bracketOf, confirmRate, probeRates, type Tried } from './search.ts';

const times = { stepSeconds: 6, probeSeconds: 20 };
const late = { criterion: 'added_p99_ms', value: 30, bound: 20 } as const;

/** A machine on which every rate up to this one holds. */
const machine = (highest: number) => {
  const asked: number[] = [];
  const tryRate = async (rps: number, seconds = 300): Promise<Tried> => {
    asked.push(rps);
    const holds = rps <= highest;
    return {
      rps,
      seconds,
      added_p99_ms: holds ? 5 : 30,
      errors: 0,
      broken: holds ? [] : [late],
    };
  };
  return { asked, tryRate };
};

describe('the search', () => {
  test('comes close to the highest rate that holds', async () => {
    const { tryRate } = machine(550);
    deepEqual(bracketOf(await probeRates(1_000, times, tryRate), 1_000), {
      held: 550,
      notHeld: 600,
    });
  });

  test('tries seven rates whatever holds', async () => {
    for (const highest of [0, 40, 1_000]) {
      const { asked, tryRate } = machine(highest);
      const { held, notHeld } = bracketOf(await probeRates(1_000, times, tryRate), 1_000);
      equal(asked.length, 7);
      ok(held <= highest && notHeld >= Math.min(highest, 1_000));
    }
  });

  test('tries no higher step after one that failed', async () => {
    const { asked, tryRate } = machine(1_000);
    const failing = async (rps: number, seconds: number) => ({
      ...(await tryRate(rps, seconds)),
      errors: rps >= 400 ? 1 : 0,
    });
    await probeRates(1_000, times, failing);
    deepEqual(asked.slice(0, 3), [100, 250, 400]);
    equal(asked.length, 5);
  });
});

describe('the confirmation', () => {
  test('is one when the rate holds', async () => {
    const { asked, tryRate } = machine(500);
    await confirmRate(500, () => true, tryRate);
    deepEqual(asked, [500]);
  });

  test('has one fallback without time for more', async () => {
    const { asked, tryRate } = machine(0);
    const tried = await confirmRate(500, () => false, tryRate);
    deepEqual(asked, [500, 450]);
    deepEqual(tried.at(-1)?.broken, [late]);
  });

  test('falls back further while there is time, and ends all the same', async () => {
    const further = machine(410);
    await confirmRate(500, () => true, further.tryRate);
    deepEqual(further.asked.map(Math.round), [500, 450, 405]);
    const none = machine(0);
    await confirmRate(500, () => true, none.tryRate);
    equal(none.asked.length, 8);
  });
});
