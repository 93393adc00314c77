import type { Random } from '@sluice/testing/random';

/** Returns at most so many of the values, chosen by chance, in their order. */
export function sample<T>(values: readonly T[], countMax: number, random: Random): T[] {
  if (values.length <= countMax) return [...values];
  const chosen = new Set<number>();
  while (chosen.size < countMax) chosen.add(random.below(values.length));
  return values.filter((_, index) => chosen.has(index));
}
