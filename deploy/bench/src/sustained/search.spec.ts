import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { bracketOf, confirmRate, type OfferedRate, probeRates, type Tried } from './search.ts';

const times = { stepSeconds: 6, probeSeconds: 20 };
const late = { criterion: 'added_p99_ms', value: 30, bound: 20 } as const;

/** A machine on which every rate up to this one holds. */
const machine = (highest: number) => {
  const asked: number[] = [];
  const confirm = (rps: number) => tryRate({ rps, seconds: 300 });
  const tryRate = async ({ rps, seconds }: Omit<OfferedRate, 'endsWhenLost'>): Promise<Tried> => {
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
  return { asked, tryRate, confirm };
};

describe('the search', () => {
  test('comes close to the highest rate that holds', async () => {
    const { tryRate } = machine(550);
    deepEqual(bracketOf(await probeRates(1_000, times, tryRate), 1_000), {
      held: 550,
      notHeld: 600,
    });
  });

  test('tries eight rates whatever holds', async () => {
    for (const highest of [0, 40, 1_000]) {
      const { asked, tryRate } = machine(highest);
      const { held, notHeld } = bracketOf(await probeRates(1_000, times, tryRate), 1_000);
      equal(asked.length, 8);
      ok(held <= highest && notHeld >= Math.min(highest, 1_000));
    }
  });

  test('is not misled by a hiccup in a step of the ladder', async () => {
    const { asked, tryRate } = machine(550);
    const withHiccup = async (rate: OfferedRate) => ({
      ...(await tryRate(rate)),
      ...(asked.length === 3 && { broken: [late] }),
    });
    deepEqual(bracketOf(await probeRates(1_000, times, withHiccup), 1_000), {
      held: 550,
      notHeld: 600,
    });
  });

  test('tries no higher step after one that failed', async () => {
    const { asked, tryRate } = machine(1_000);
    const failing = async (rate: OfferedRate) => ({
      ...(await tryRate(rate)),
      errors: rate.rps >= 400 ? 1 : 0,
    });
    await probeRates(1_000, times, failing);
    deepEqual(asked.slice(0, 3), [100, 250, 400]);
    equal(asked.length, 6);
  });
});

describe('the confirmation', () => {
  test('is one when the rate holds', async () => {
    const { asked, confirm } = machine(500);
    await confirmRate(500, () => true, confirm);
    deepEqual(asked, [500]);
  });

  test('has two fallbacks without time for more', async () => {
    const { asked, confirm } = machine(0);
    const tried = await confirmRate(500, () => false, confirm);
    deepEqual(asked, [500, 300, 180]);
    deepEqual(tried.at(-1)?.broken, [late]);
  });

  test('falls back further while there is time, and ends all the same', async () => {
    const further = machine(110);
    await confirmRate(500, () => true, further.confirm);
    deepEqual(further.asked.map(Math.round), [500, 300, 180, 108]);
    const none = machine(0);
    await confirmRate(500, () => true, none.confirm);
    equal(none.asked.length, 8);
  });
});
