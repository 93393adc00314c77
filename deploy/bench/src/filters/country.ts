/** Names and formats of one country. In a format `#` is a digit, `@` a digit from 1 to 9. */
export interface Country {
  readonly code: string;
  readonly given: readonly string[];
  readonly family: readonly string[];
  readonly streets: readonly string[];
  readonly cities: readonly string[];
  /** `{n}` is a house number, `{s}` a street, `{c}` a city. */
  readonly addresses: readonly string[];
  readonly phones: readonly string[];
}

/** Given names, family names, streets and cities, each separated by commas. */
type CountryTexts = readonly [string, string, string, string];

const list = (text: string) => text.split(',').map((entry) => entry.trim());

export function country(
  code: string,
  texts: CountryTexts,
  addresses: readonly string[],
  phones: readonly string[],
): Country {
  const [given, family, streets, cities] = texts.map(list);
  if (!given || !family || !streets || !cities) throw new Error(`no texts of ${code}`);
  return { code, given, family, streets, cities, addresses, phones };
}
