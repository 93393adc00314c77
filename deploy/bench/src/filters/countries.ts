import { americas } from './countries-americas.ts';
import { beyond } from './countries-beyond.ts';
import type { Country } from './countries-format.ts';
import { southernEurope } from './countries-southern-europe.ts';
import { westernEurope } from './countries-western-europe.ts';

/** The twenty countries of the corpus. */
export const countries: readonly Country[] = [
  ...americas,
  ...westernEurope,
  ...southernEurope,
  ...beyond,
];
