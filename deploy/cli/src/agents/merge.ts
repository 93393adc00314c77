import type { AgentFile, JsonObject, TomlSettings } from './agent-files.ts';

/** The file holds what we cannot change safely; the message is a sentence. */
export class FileNotUnderstood extends Error {
  override readonly name = 'FileNotUnderstood';
}

/** Returns the text of a file with our settings. Throws FileNotUnderstood. */
export function merged(file: AgentFile, existing: string | undefined): string {
  switch (file.form) {
    case 'whole':
      return `${JSON.stringify(file.content, null, 2)}\n`;
    case 'json':
      return mergedJson(file, existing, file.content);
    case 'toml':
      return mergedToml(file, existing ?? '', file.content);
    case 'env':
      return mergedLines(existing ?? '', file.content);
  }
}

function mergedJson(
  { path }: AgentFile,
  existing: string | undefined,
  content: JsonObject,
): string {
  const known = existing === undefined || existing.trim() === '' ? {} : parsed(path, existing);
  return `${JSON.stringify(joined(known, content), null, 2)}\n`;
}

function parsed(path: string, text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // The message of the parser shows the text, which may hold keys.
  }
  throw new FileNotUnderstood(
    `${path} is no plain JSON object (comments?): leave out --write, and put the settings there by hand.`,
  );
}

/** Objects are joined; any other value takes the place of the one before. */
function joined(known: JsonObject, more: JsonObject): JsonObject {
  const all = new Map(Object.entries(known));
  for (const [name, value] of Object.entries(more)) {
    const before = all.get(name);
    all.set(name, isObject(before) && isObject(value) ? joined(before, value) : value);
  }
  return Object.fromEntries(all);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const headerPattern = /^\s*\[/;

function mergedToml(
  { path }: AgentFile,
  existing: string,
  { top, table, values }: TomlSettings,
): string {
  const lines = existing.split('\n');
  const firstTable = lines.findIndex((line) => headerPattern.test(line));
  const end = firstTable === -1 ? lines.length : firstTable;
  const before = withoutKeys(path, lines.slice(0, end), Object.keys(top));
  const after = withoutTable(lines.slice(end), table);
  const told = Object.entries(top).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  const own = Object.entries(values).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  const parts = [[...told, ...before], after, [`[${table}]`, ...own]];
  return `${parts
    .map((part) => part.join('\n').trim())
    .filter((part) => part !== '')
    .join('\n\n')}\n`;
}

function withoutKeys(
  path: string,
  lines: readonly string[],
  keys: readonly string[],
): readonly string[] {
  return lines.filter((line) => {
    const [, name = '', value = ''] = /^\s*"?([\w-]+)"?\s*=\s*(.*)$/.exec(line) ?? [];
    if (!keys.includes(name)) return true;
    // A text of several lines would leave its end behind.
    if (/^("""|''')/.test(value))
      throw new FileNotUnderstood(
        `${path} has ${name} in several lines: leave out --write, and put the settings there by hand.`,
      );
    return false;
  });
}

function withoutTable(lines: readonly string[], table: string): readonly string[] {
  let isOurs = false;
  return lines.filter((line) => {
    if (headerPattern.test(line)) isOurs = line.replaceAll(/\s/g, '').startsWith(`[${table}]`);
    return !isOurs;
  });
}

function mergedLines(existing: string, content: Readonly<Record<string, string>>): string {
  const kept = existing.split('\n').filter((line) => {
    const [, name = ''] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/.exec(line) ?? [];
    return line.trim() !== '' && !(name in content);
  });
  const own = Object.entries(content).map(([name, value]) => `${name}=${value}`);
  return `${[...kept, ...own].join('\n')}\n`;
}
