import type { Random } from '@sluice/testing/random';

const consonants = 'BCDFGHJKLMNPRSTVWXYZ';

/** Picks one of a list that may not be empty. */
export function oneOf<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[random.below(items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

/** Draws characters of an alphabet. */
export function drawn(random: Random, alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet.charAt(random.below(alphabet.length))).join('');
}

/** Puts chance into a format: `#` is a digit, `@` one from 1 to 9, `%` a letter. */
export function filled(random: Random, format: string): string {
  return format.replaceAll(/[#@%]/gu, (sign) => {
    if (sign === '#') return String(random.below(10));
    if (sign === '@') return String(random.between(1, 9));
    return consonants.charAt(random.below(consonants.length));
  });
}
