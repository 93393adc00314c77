import type { FunctionTool, ToolChoice } from '@sluice/inference';
import { Fields, isObject } from './fields.ts';
import type { Issues } from './issues.ts';
import { descriptionCharactersMax, toolsMax } from './limits.ts';

const functionNamePattern = /^[A-Za-z0-9_-]{1,64}$/;

/** Kinds of tools that the contract knows and that are not built yet. */
const unbuiltTools: ReadonlySet<unknown> = new Set([
  'custom',
  'namespace',
  'file_search',
  'computer_use_preview',
  'code_interpreter',
  'mcp',
  'image_generation',
  'local_shell',
  'shell',
  'apply_patch',
  'tool_search',
  'web_search',
  'web_search_2025_08_26',
  'web_search_preview',
  'web_search_preview_2025_03_11',
  'service:advisor',
  'service:subagent',
  'service:datetime',
  'service:files',
  'service:fusion',
  'service:image_generation',
  'service:experimental__search_models',
  'service:web_fetch',
  'service:web_search',
  'service:apply_patch',
  'service:bash',
  'service:shell',
  'service:tool_search',
]);

/** Kinds of `tool_choice` objects that are not built yet. */
const unbuiltChoices: ReadonlySet<unknown> = new Set([
  'web_search_preview',
  'web_search_preview_2025_03_11',
  'apply_patch',
  'shell',
  'allowed_tools',
]);

/** The function tools of a request. */
export function parseTools(body: Fields, issues: Issues): readonly FunctionTool[] {
  const tools = (body.array('tools', toolsMax) ?? []).map((tool, index) =>
    parseTool(tool, `tools[${String(index)}]`, issues),
  );
  const names = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    if (tool && names.has(tool.name)) {
      issues.add(`tools[${String(index)}].name`, `repeats the name ${tool.name}`);
    }
    if (tool) names.add(tool.name);
  }
  return tools.filter((tool) => tool !== undefined);
}

function parseTool(tool: unknown, path: string, issues: Issues): FunctionTool | undefined {
  if (!isObject(tool)) return issues.add(path, 'must be a tool');
  const fields = new Fields(tool, { path, issues });
  if (unbuiltTools.has(tool['type'])) return issues.addUnsupported(fields.path('type'));
  if (tool['type'] !== 'function') return fields.refuse('type', 'is no known kind of tool');
  const name = fields.requiredString('name');
  const description = fields.string('description', { charactersMax: descriptionCharactersMax });
  const parameters = fields.object('parameters');
  const strict = fields.boolean('strict');
  fields.unsupported('async', isFalse);
  fields.unsupported('defer_loading', isFalse);
  if (name === undefined) return undefined;
  if (!functionNamePattern.test(name)) {
    return fields.refuse('name', 'must be 1 to 64 of the characters A-Z a-z 0-9 _ -');
  }
  return { name, description, parameters, strict };
}

function isFalse(value: unknown): boolean {
  return value === false;
}

/** `tool_choice`; `auto` when absent. */
export function parseToolChoice(
  body: Fields,
  tools: readonly FunctionTool[],
  issues: Issues,
): ToolChoice {
  const choice = body.value('tool_choice');
  if (choice === 'required' && tools.length === 0) {
    body.refuse('tool_choice', 'needs at least one tool');
  }
  if (isObject(choice)) return parseForcedTool(body, choice, tools, issues);
  return { type: body.oneOf('tool_choice', ['auto', 'none', 'required']) ?? 'auto' };
}

function parseForcedTool(
  body: Fields,
  choice: Readonly<Record<string, unknown>>,
  tools: readonly FunctionTool[],
  issues: Issues,
): ToolChoice {
  const path = body.path('tool_choice');
  const fields = new Fields(choice, { path, issues });
  const type = choice['type'];
  if (unbuiltChoices.has(type) || unbuiltTools.has(type)) {
    issues.addUnsupported(fields.path('type'));
  } else if (type !== 'function') {
    fields.refuse('type', 'is no known kind of tool choice');
  } else {
    const name = fields.requiredString('name');
    if (tools.some((tool) => tool.name === name)) return { type: 'function', name: name ?? '' };
    if (name !== undefined) fields.refuse('name', 'names a tool that is not in tools');
  }
  return { type: 'auto' };
}
