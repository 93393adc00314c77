import type { Random } from '@sluice/testing/random';

/** A place with its post code. */
export interface City {
  readonly name: string;
  /** A state or province, or ''. */
  readonly region: string;
  readonly postalCode: (random: Random) => string;
}

/** Names and formats of one country. */
export interface Country {
  readonly code: string;
  readonly given: readonly string[];
  readonly family: readonly string[];
  readonly streets: readonly string[];
  readonly cities: readonly City[];
  /** In one line. `{n}` is a house number, `{u}` a unit, `{s}` street, `{c}` city, `{r}` region, `{p}` post code. */
  readonly lines: readonly string[];
  /** In several lines. */
  readonly blocks: readonly string[];
  /** As people write them at home: only context shows that they are phone numbers. */
  readonly nationalPhones: readonly string[];
  readonly internationalPhones: readonly string[];
}

/** A country as its table has it: lists are texts with commas, a city is `name/region/post code`. */
export interface CountryTable {
  readonly code: string;
  readonly given: readonly string[];
  readonly family: readonly string[];
  readonly streets: readonly string[];
  readonly cities: readonly string[];
  readonly lines: readonly string[];
  readonly blocks: readonly string[];
  readonly national: string;
  readonly international: string;
}

const consonants = 'BCDFGHJKLMNPRSTVWXYZ';

/** Puts chance into a format: `#` is a digit, `@` one from 1 to 9, `%` a letter. */
export function filled(random: Random, format: string): string {
  return format.replaceAll(/[#@%]/gu, (sign) => {
    if (sign === '#') return String(random.below(10));
    if (sign === '@') return String(random.between(1, 9));
    return consonants.charAt(random.below(consonants.length));
  });
}

/** Picks one of a list that may not be empty. */
export function oneOf<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[random.below(items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

/** Reads the table of a country. */
export function country(table: CountryTable): Country {
  return {
    code: table.code,
    given: listed(table.given),
    family: listed(table.family),
    streets: listed(table.streets),
    cities: listed(table.cities).map(cityOf),
    lines: table.lines,
    blocks: table.blocks,
    nationalPhones: table.national.split(', '),
    internationalPhones: table.international.split(', '),
  };
}

function listed(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(', '));
}

function cityOf(text: string): City {
  const [name = '', region = '', format = ''] = text.split('/');
  return { name, region, postalCode: (random) => filled(random, format) };
}
