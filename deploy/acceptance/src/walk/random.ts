/** The same numbers from 0 to 1 for the same seed, so that a failure can be looked at again. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** At most so many of the values, chosen by the numbers, in their order. */
export function sample<T>(values: readonly T[], countMax: number, random: () => number): T[] {
  if (values.length <= countMax) return [...values];
  const chosen = new Set<number>();
  while (chosen.size < countMax) chosen.add(Math.floor(random() * values.length));
  return values.filter((_, index) => chosen.has(index));
}
