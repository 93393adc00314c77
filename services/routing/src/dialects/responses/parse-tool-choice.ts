import type { ToolChoice } from '@sluice/inference';
import { Fields, isObject, type JsonObject } from './fields.ts';
import type { Issues } from './issues.ts';
import { toolsMax } from './limits.ts';
import { isNativeTool } from './native-tools.ts';
import { nameOf, type ParsedTool } from './parse-tools.ts';
import { serverTools } from './server-tools.ts';

/** The tools that a choice may name. */
export interface Choosable {
  readonly tools: readonly ParsedTool[];
  /** Kinds of all tools of the request, also of those that are not built. */
  readonly types: ReadonlySet<unknown>;
}

/** The choice of a request, and what the response repeats of it. */
export interface ParsedToolChoice {
  readonly choice: ToolChoice;
  readonly echo: unknown;
}

/** Nothing was chosen: the model does. */
export const auto: ParsedToolChoice = { choice: { type: 'auto' }, echo: 'auto' };
/** They ask for any of the tools that search the web. */
const webSearches = [
  'web_search',
  'web_search_2025_08_26',
  'web_search_preview',
  'web_search_preview_2025_03_11',
  'service:web_search',
];

/** They ask for the tool that works a screen: the second is a name of a choice alone. */
const computers = ['computer', 'computer_use', 'computer_use_preview'];
/** Names of one thing. */
const synonyms: readonly (readonly unknown[])[] = [webSearches, computers];

/** `tool_choice`; `auto` when absent. */
export function parseToolChoice(
  body: Fields,
  choosable: Choosable,
  issues: Issues,
): ParsedToolChoice {
  const choice = body.value('tool_choice');
  if (choice === 'required' && choosable.types.size === 0) {
    body.refuse('tool_choice', 'needs at least one tool');
  }
  if (isObject(choice)) return parseObject(body, choice, choosable, issues);
  const type = body.oneOf('tool_choice', ['auto', 'none', 'required']) ?? 'auto';
  return { choice: { type }, echo: type };
}

function parseObject(
  body: Fields,
  choice: JsonObject,
  choosable: Choosable,
  issues: Issues,
): ParsedToolChoice {
  const fields = new Fields(choice, { path: body.path('tool_choice'), issues });
  const { type } = choice;
  if (type === 'function' || type === 'custom') return parseNamed(fields, type, choosable);
  if (type === 'allowed_tools') return parseAllowed(fields, choice, choosable, issues);
  if (!isKind(type)) {
    fields.refuse('type', 'is no known kind of tool choice');
    return auto;
  }
  if (!hasKind(choosable, type)) {
    fields.refuse('type', 'names a tool that is not in tools');
    return auto;
  }
  return { choice: { type: 'native', tool: choice }, echo: choice };
}

/** True if the tool is named by its kind. */
function isKind(type: unknown): boolean {
  return isNativeTool(type) || serverTools.has(type) || type === 'computer_use';
}

function hasKind({ types }: Choosable, type: unknown): boolean {
  const names = synonyms.find((one) => one.includes(type)) ?? [type];
  return names.some((name) => types.has(name));
}

function parseNamed(
  fields: Fields,
  type: 'function' | 'custom',
  choosable: Choosable,
): ParsedToolChoice {
  const name = fields.requiredString('name');
  if (name === undefined) return auto;
  if (isCallable(choosable, type, name)) return { choice: { type, name }, echo: { type, name } };
  fields.refuse('name', 'names a tool that is not in tools');
  return auto;
}

function isCallable({ tools }: Choosable, type: 'function' | 'custom', name: string): boolean {
  return tools.some(({ callable }) =>
    callable.some((one) => one.name === name && one.isCustom === (type === 'custom')),
  );
}

function parseAllowed(
  fields: Fields,
  echo: JsonObject,
  choosable: Choosable,
  issues: Issues,
): ParsedToolChoice {
  if (!fields.has('mode')) fields.refuse('mode', 'is required');
  if (!fields.has('tools')) fields.refuse('tools', 'is required');
  const mode = fields.oneOf('mode', ['auto', 'required']);
  const given = fields.array('tools', toolsMax) ?? [];
  const names: string[] = [];
  const natives: JsonObject[] = [];
  for (const [index, tool] of given.entries()) {
    const path = `${fields.path('tools')}[${String(index)}]`;
    if (!isObject(tool)) issues.add(path, 'must be a tool');
    else if (isKind(tool['type'])) {
      if (hasKind(choosable, tool['type'])) natives.push(tool);
      else issues.add(`${path}.type`, 'names a tool that is not in tools');
    } else {
      const inner = new Fields(tool, { path, issues });
      const name = inner.requiredString('name');
      if (name === undefined) continue;
      if (isKnown(choosable, name)) names.push(name);
      else inner.refuse('name', 'names a tool that is not in tools');
    }
  }
  if (mode === 'required' && fields.has('tools') && given.length === 0)
    fields.refuse('tools', 'must name a tool');
  if (mode === undefined) return auto;
  return {
    choice: { type: 'allowed', mode, names, ...(natives.length > 0 && { natives }) },
    echo,
  };
}

/** A namespace has a name, too. */
function isKnown({ tools }: Choosable, name: string): boolean {
  return tools.some(
    ({ tool, callable }) => nameOf(tool) === name || callable.some((one) => one.name === name),
  );
}
