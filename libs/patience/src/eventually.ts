import { inspect } from 'node:util';

/** Counted in looks: a machine that is four times as slow takes four times as long for them. */
export interface Patience {
  /** Between two looks. */
  readonly everyMs?: number;
  /** Gives up after so many looks in turn that saw the same. */
  readonly sameLooksMax?: number;
  /** Gives up after so many looks, whatever they saw. */
  readonly looksMax?: number;
}

const everyMsDefault = 20;
const sameLooksMaxDefault = 6_000;
const looksMaxDefault = 60_000;

/**
 * Returns what `check` returns as soon as it does not throw. Throws what it threw last when that has not changed
 * for long: nothing that is waited for gets on.
 */
export async function eventually<Found>(
  check: () => Found | Promise<Found>,
  patience: Patience = {},
): Promise<Found> {
  const { everyMs = everyMsDefault, looksMax = looksMaxDefault } = patience;
  const { sameLooksMax = sameLooksMaxDefault } = patience;
  let before = '';
  let same = 0;
  for (let looks = 1; ; looks++) {
    try {
      return await check();
    } catch (error) {
      const seen = error instanceof Error ? error.message : inspect(error);
      same = seen === before ? same + 1 : 1;
      before = seen;
      if (same >= sameLooksMax || looks >= looksMax) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

/** Waits until `find` returns something that is not false, null or undefined, and returns it. */
export async function until<Found>(
  find: () => Found | Promise<Found>,
  patience: Patience = {},
): Promise<NonNullable<Exclude<Found, false>>> {
  return await eventually(async () => {
    const found = await find();
    if (found === false || found === undefined || found === null)
      throw new Error(`still ${String(found)}: ${find.toString()}`);
    return found as NonNullable<Exclude<Found, false>>;
  }, patience);
}
