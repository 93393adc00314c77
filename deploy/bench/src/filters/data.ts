import { readFileSync } from 'node:fs';

/** Names and formats of one country. */
export interface Country {
  readonly code: string;
  readonly given: readonly string[];
  readonly family: readonly string[];
  readonly streets: readonly string[];
  /** Each is `name/region/post code`. The region may be empty, and the post code is a format. */
  readonly cities: readonly string[];
  /** In one line. `{n}` is a house number, `{u}` a unit, `{s}` street, `{c}` city, `{r}` region, `{p}` post code. */
  readonly lines: readonly string[];
  /** In several lines. */
  readonly blocks: readonly string[];
  /** The numbers as people write them at home. Only context shows that they are phone numbers. */
  readonly national: readonly string[];
  readonly international: readonly string[];
}

interface Prompt {
  readonly text: string;
  readonly attack: boolean;
}

/** Reads a file with one JSON value a line. */
export function readRows(file: string | URL): readonly unknown[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as unknown);
}

const dataOf = (name: string) => new URL(`data/${name}`, import.meta.url);

/** Returns the texts of a file by the name that each has in a field. Texts without a name have ''. */
function textsBy(file: string, field: string): (name: string) => readonly string[] {
  const rows = readRows(dataOf(file)) as readonly Readonly<Record<string, string>>[];
  const groups = Map.groupBy(rows, (row) => row[field] ?? '');
  return (name) => (groups.get(name) ?? []).map(({ text = '' }) => text);
}

/** The twenty countries of the corpus. */
export const countries = readRows(dataOf('countries.jsonl')) as readonly Country[];
/** Returns the texts around content of a label, and for '' texts without any. `{d4}` and the like are fillers. */
export const carriersOf = textsBy('carriers.jsonl', 'label');
/** Returns the words for a filler, as `city`. */
export const wordsOf = textsBy('fillers.jsonl', 'filler');

/** Prompts that were written by hand, without a look at the patterns. The harmless ones have words of attacks. */
const prompts = readRows(dataOf('prompts.jsonl')) as readonly Prompt[];
export const writtenAttacks = prompts.filter(({ attack }) => attack).map(({ text }) => text);
export const writtenBenign = prompts.filter(({ attack }) => !attack).map(({ text }) => text);
