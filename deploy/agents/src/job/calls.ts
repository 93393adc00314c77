import type { OutputPart, Tool } from '@sluice/simulator';

/** The meaning of a call, by the parts that tools ask for. */
export interface Meaning {
  readonly command?: string;
  readonly path?: string;
  readonly old?: string;
  readonly new?: string;
  readonly patch?: string;
}

/** The names that tools give to a part, in lower case without signs. */
const words: Readonly<Record<string, keyof Meaning>> = {
  cmd: 'command',
  command: 'command',
  commands: 'command',
  path: 'path',
  filepath: 'path',
  absolutepath: 'path',
  files: 'path',
  old: 'old',
  oldstring: 'old',
  oldtext: 'old',
  oldstr: 'old',
  new: 'new',
  newstring: 'new',
  newtext: 'new',
  newstr: 'new',
  input: 'patch',
  patch: 'patch',
  patchtext: 'patch',
};

export function toolNamed(tools: readonly Tool[], pattern: RegExp): Tool | undefined {
  return tools.find(({ name }) => pattern.test(name));
}

/** Calls a tool with what its schema asks for. */
export function callOf(tool: Tool, meaning: Meaning): OutputPart {
  const { name, isCustom } = tool;
  if (isCustom) return { type: 'tool-call', name, text: meaning.patch ?? '', isCustom };
  return { type: 'tool-call', name, text: JSON.stringify(objectOf(tool.parameters, meaning)) };
}

function objectOf(schema: unknown, meaning: Meaning): object {
  const { properties, required } = fieldsOf(schema);
  const needed = new Set(Array.isArray(required) ? (required as readonly unknown[]) : []);
  const filled: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(fieldsOf(properties))) {
    const word = words[name.toLowerCase().replaceAll(/[^a-z]/g, '')];
    const value = word === undefined ? undefined : meaning[word];
    if (value !== undefined) filled[name] = valueOf(property, value, meaning);
    else if (needed.has(name)) filled[name] = unimportant(property);
  }
  return filled;
}

function valueOf(schema: unknown, value: string, meaning: Meaning): unknown {
  const { type, items } = fieldsOf(schema);
  if (type !== 'array') return value;
  return [fieldsOf(items)['type'] === 'object' ? objectOf(items, meaning) : value];
}

function unimportant(schema: unknown): unknown {
  switch (fieldsOf(schema)['type']) {
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return 1;
    case 'array':
      return [];
    default:
      return 'a step of the job';
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : {};
}
