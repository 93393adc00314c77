/** Chance that can be repeated: the same seed makes the same choices. */
export interface Random {
  /** From 0 to below 1. */
  next(): number;
  /** A whole number from 0 to below `end`. */
  below(end: number): number;
  /** A whole number from `first` to `last`, both included. */
  between(first: number, last: number): number;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
  /** Another source, whose choices do not depend on how often this one is asked from now on. */
  fork(): Random;
}

const wordEnd = 2 ** 32;

/** Mulberry32: small, and even enough to choose victims with. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const word = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const next = () => word() / wordEnd;
  const below = (end: number) => Math.floor(next() * end);
  return {
    next,
    below,
    between: (first, last) => first + below(last - first + 1),
    pick: (items) => items[below(items.length)] ?? items[0],
    fork: () => seededRandom(word()),
  };
}
