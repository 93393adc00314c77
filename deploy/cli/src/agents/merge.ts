import type { AgentFile, JsonObject } from './agent-files.ts';
import { FileNotUnderstood } from './file-not-understood.ts';
import { mergedToml } from './merge-toml.ts';

/** Returns the text of a file with our settings. Throws FileNotUnderstood. */
export function merged(file: AgentFile, existing: string | undefined): string {
  switch (file.form) {
    case 'whole':
      return `${JSON.stringify(file.content, null, 2)}\n`;
    case 'json':
      return mergedJson(file, existing, file.content);
    case 'toml':
      return mergedToml(file.path, existing ?? '', file.content);
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

function mergedLines(existing: string, content: Readonly<Record<string, string>>): string {
  const kept = existing.split('\n').filter((line) => {
    const [, name = ''] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/.exec(line) ?? [];
    return line.trim() !== '' && !(name in content);
  });
  const own = Object.entries(content).map(([name, value]) => `${name}=${value}`);
  return `${[...kept, ...own].join('\n')}\n`;
}
