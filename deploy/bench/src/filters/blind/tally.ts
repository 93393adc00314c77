/** The number of texts with a finding, of all texts of a kind. */
export interface Tally {
  readonly found: number;
  readonly of: number;
}

export type Tallies = ReadonlyMap<string, Tally>;

/** Counts texts with a finding. */
export function tally<Item>(items: readonly Item[], isFound: (item: Item) => boolean): Tally {
  return { found: items.filter(isFound).length, of: items.length };
}

/** Counts texts with a finding by name, in the order of the names, and `all` of them. */
export function tallyBy<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  isFound: (item: Item) => boolean,
): Tallies {
  const groups = Object.entries(Object.groupBy(items, nameOf));
  const rows = groups.map(([name, group = []]) => [name, tally(group, isFound)] as const);
  return new Map([
    ...rows.toSorted(([one], [other]) => (one < other ? -1 : 1)),
    ['all', tally(items, isFound)],
  ]);
}

/** Returns the lines of a table in Markdown, with the rows of the first column. */
export function tableOf(
  title: string,
  columns: Readonly<Record<string, Tallies>>,
): readonly string[] {
  const header = [title, ...Object.keys(columns)];
  const tallies = Object.values(columns);
  const cell = (one: Tally | undefined) => (one ? `${one.found} of ${one.of}` : '');
  const rows = [...(tallies[0]?.keys() ?? [])].map((name) => [
    name,
    ...tallies.map((column) => cell(column.get(name))),
  ]);
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}
