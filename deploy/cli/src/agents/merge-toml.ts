import { isDeepStrictEqual } from 'node:util';
import { parse, type TomlTable } from 'smol-toml';
import type { TomlSettings } from './agent-files.ts';
import { FileNotUnderstood } from './file-not-understood.ts';

/** A key with its value, a header, a comment or an empty line, as it is written. */
interface Statement {
  readonly text: string;
  /** The path of a table or of a key. */
  readonly path: readonly string[];
  readonly isHeader: boolean;
}

/** A file of settings is short. Larger ones are not changed: to find where a value ends costs its lines squared. */
const linesMax = 5_000;

/**
 * Returns the text with our keys first and our table last. Everything else stays as it is written, comments included.
 * Throws FileNotUnderstood if the text is no TOML, or if the result would say something else than that.
 */
export function mergedToml(path: string, existing: string, settings: TomlSettings): string {
  const known = parsed(path, existing);
  const statements = statementsOf(path, existing);
  const firstTable = statements.findIndex(({ isHeader }) => isHeader);
  const end = firstTable === -1 ? statements.length : firstTable;
  const keys = Object.keys(settings.top);
  const before = statements.slice(0, end).filter(({ path: [name] }) => !isOneOf(keys, name));
  const after = withoutTable(statements.slice(end), settings.table.split('.'));
  const text = `${[
    [...linesOf(settings.top), ...before.map((one) => one.text)],
    after.map((one) => one.text),
    [`[${settings.table}]`, ...linesOf(settings.values)],
  ]
    .map((part) => part.join('\n').trim())
    .filter((part) => part !== '')
    .join('\n\n')}\n`;
  const result = parsed(path, text);
  if (!isAsWanted(result, known, settings)) throw notUnderstood(path);
  return text;
}

function isOneOf(keys: readonly string[], name: string | undefined): boolean {
  return name !== undefined && keys.includes(name);
}

function linesOf(values: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(values).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
}

function parsed(path: string, text: string): TomlTable {
  try {
    return parse(text);
  } catch {
    // The message of the parser shows the text, which may hold keys.
    throw notUnderstood(path);
  }
}

function notUnderstood(path: string): FileNotUnderstood {
  return new FileNotUnderstood(
    `${path} cannot be changed safely: leave out --write, and put the settings there by hand.`,
  );
}

/** A statement ends with the first line up to which it is TOML by itself. */
function statementsOf(path: string, text: string): readonly Statement[] {
  const lines = text.split('\n');
  if (lines.length > linesMax) throw notUnderstood(path);
  const statements: Statement[] = [];
  let begun: string[] = [];
  for (const line of lines) {
    begun.push(line);
    const chunk = begun.join('\n');
    const table = tryParse(chunk);
    if (table === undefined) continue;
    statements.push({ text: chunk, path: pathOf(table), isHeader: /^\s*\[/.test(chunk) });
    begun = [];
  }
  if (begun.length > 0) throw notUnderstood(path);
  return statements;
}

function tryParse(text: string): TomlTable | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the names down to the first that is not the only one. */
function pathOf(table: TomlTable): readonly string[] {
  const [[name, value] = [], ...others] = Object.entries(table);
  if (name === undefined || others.length > 0) return [];
  return isTable(value) ? [name, ...pathOf(value)] : [name];
}

function isTable(value: unknown): value is TomlTable {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
  );
}

function withoutTable(
  statements: readonly Statement[],
  table: readonly string[],
): readonly Statement[] {
  let isOurs = false;
  return statements.filter(({ path, isHeader }) => {
    if (isHeader) isOurs = isDeepStrictEqual(path, table);
    return !isOurs;
  });
}

function isAsWanted(
  result: TomlTable,
  known: TomlTable,
  { top, table, values }: TomlSettings,
): boolean {
  const ours = table
    .split('.')
    .reduce<unknown>((found, name) => (isTable(found) ? found[name] : undefined), result);
  return (
    isTable(ours) &&
    Object.entries(values).every(([name, value]) => ours[name] === value) &&
    Object.entries(top).every(([name, value]) => result[name] === value) &&
    isDeepStrictEqual(others(result, top, table), others(known, top, table))
  );
}

/** Returns a copy without our keys and our table. */
function others(all: TomlTable, top: object, table: string): TomlTable {
  const copy = structuredClone({ ...all });
  for (const name of Object.keys(top)) delete copy[name];
  const [room = '', name = ''] = table.split('.');
  const tables = copy[room];
  if (!isTable(tables)) return copy;
  delete tables[name];
  if (Object.keys(tables).length === 0) delete copy[room];
  return copy;
}
