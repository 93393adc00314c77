import type { Tool } from '@sluice/inference';
import { Fields, isObject, type JsonObject } from './fields.ts';
import type { Issues } from './issues.ts';
import { toolsMax } from './limits.ts';
import { isUnbuiltTool, nameOf, type ParsedToolChoice } from './parse-tools.ts';

const auto: ParsedToolChoice = { choice: { type: 'auto' }, echo: 'auto' };

/** `tool_choice`; `auto` when absent. */
export function parseToolChoice(
  body: Fields,
  tools: readonly Tool[],
  issues: Issues,
): ParsedToolChoice {
  const choice = body.value('tool_choice');
  if (choice === 'required' && tools.length === 0) {
    body.refuse('tool_choice', 'needs at least one tool');
  }
  if (isObject(choice)) return parseObject(body, choice, tools, issues);
  const type = body.oneOf('tool_choice', ['auto', 'none', 'required']) ?? 'auto';
  return { choice: { type }, echo: type };
}

function parseObject(
  body: Fields,
  choice: JsonObject,
  tools: readonly Tool[],
  issues: Issues,
): ParsedToolChoice {
  const fields = new Fields(choice, { path: body.path('tool_choice'), issues });
  const { type } = choice;
  if (type === 'function' || type === 'custom') return parseNamed(fields, type, tools);
  if (type === 'allowed_tools') return parseAllowed(fields, choice, tools, issues);
  if (isUnbuiltTool(type) || type === 'apply_patch') issues.addUnsupported(fields.path('type'));
  else fields.refuse('type', 'is no known kind of tool choice');
  return auto;
}

function parseNamed(
  fields: Fields,
  type: 'function' | 'custom',
  tools: readonly Tool[],
): ParsedToolChoice {
  const name = fields.requiredString('name');
  if (name === undefined) return auto;
  if (tools.some((tool) => tool.type === type && tool.name === name))
    return { choice: { type, name }, echo: { type, name } };
  fields.refuse('name', 'names a tool that is not in tools');
  return auto;
}

function parseAllowed(
  fields: Fields,
  echo: JsonObject,
  tools: readonly Tool[],
  issues: Issues,
): ParsedToolChoice {
  if (!fields.has('mode')) fields.refuse('mode', 'is required');
  if (!fields.has('tools')) fields.refuse('tools', 'is required');
  const mode = fields.oneOf('mode', ['auto', 'required']);
  const names = (fields.array('tools', toolsMax) ?? []).map((tool, index) => {
    const path = `${fields.path('tools')}[${String(index)}]`;
    if (!isObject(tool)) return issues.add(path, 'must be a tool');
    const inner = new Fields(tool, { path, issues });
    const name = inner.requiredString('name');
    if (name === undefined || tools.some((known) => nameOf(known) === name)) return name;
    return inner.refuse('name', 'names a tool that is not in tools');
  });
  if (mode === undefined) return auto;
  const known = names.filter((name) => name !== undefined);
  return { choice: { type: 'allowed', mode, names: known }, echo };
}
