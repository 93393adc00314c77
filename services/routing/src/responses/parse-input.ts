import type { InputItem } from '@sluice/inference';
import { Fields, isObject } from './fields.ts';
import type { Issues } from './issues.ts';
import { identifierCharactersMax, inputItemsMax } from './limits.ts';
import { parseContent, parseParts } from './parse-content.ts';

const roles = ['user', 'system', 'assistant', 'developer'] as const;
const statuses = ['in_progress', 'completed', 'incomplete'] as const;

/** Kinds of items that the contract knows and that are not built yet. */
const unbuiltItems: ReadonlySet<unknown> = new Set([
  'custom_tool_call',
  'custom_tool_call_output',
  'apply_patch_call',
  'apply_patch_call_output',
  'web_search_call',
  'file_search_call',
  'image_generation_call',
  'code_interpreter_call',
  'computer_call',
  'local_shell_call',
  'local_shell_call_output',
  'shell_call',
  'shell_call_output',
  'mcp_list_tools',
  'mcp_approval_request',
  'mcp_approval_response',
  'mcp_call',
  'compaction',
  'context_compaction',
  'item_reference',
  'additional_tools',
  'agent_message',
  'configuration_update',
]);

/** `instructions` and `input` as canonical items, in the order the model reads them. */
export function parseInput(
  body: Fields,
  instructions: string | undefined,
  issues: Issues,
): readonly InputItem[] {
  const system: readonly InputItem[] =
    instructions === undefined ? [] : [textMessage('system', instructions)];
  const input = body.value('input');
  if (typeof input === 'string') return [...system, textMessage('user', input)];
  if (input !== undefined && !Array.isArray(input)) {
    body.refuse('input', 'must be a string or an array of input items');
    return system;
  }
  const items = input === undefined ? [] : body.array('input', inputItemsMax);
  if (items === undefined) return system;
  if (items.length === 0 && instructions === undefined && !body.has('prompt')) {
    issues.add('input', 'is required', 'invalid_prompt');
  }
  const issuesBefore = issues.count;
  const parsed = items.map((item, index) => parseItem(item, `input[${String(index)}]`, issues));
  // A call that is malformed is not also one that nobody made.
  if (issues.count === issuesBefore) checkToolCalls(parsed, issues);
  return [...system, ...parsed.filter((item) => item !== undefined)];
}

function textMessage(role: 'system' | 'user', text: string): InputItem {
  return { type: 'message', role, content: [{ type: 'text', text }] };
}

/** undefined: an item that tells the model nothing, or a bad one. */
function parseItem(item: unknown, path: string, issues: Issues): InputItem | undefined {
  if (!isObject(item)) return issues.add(path, 'must be an input item', 'invalid_prompt');
  const fields = new Fields(item, { path, issues, code: 'invalid_prompt' });
  const type = item['type'] ?? ('role' in item ? 'message' : undefined);
  switch (type) {
    case 'message':
      return parseMessage(fields, issues);
    case 'function_call':
      return parseFunctionCall(fields);
    case 'function_call_output':
      return parseFunctionCallOutput(fields, issues);
    case 'reasoning':
      return checkReasoning(fields);
    case undefined:
      return fields.refuse('type', 'is required');
    default:
      return isUnbuilt(type)
        ? issues.addUnsupported(fields.path('type'))
        : fields.refuse('type', 'is no known kind of input item');
  }
}

function isUnbuilt(type: unknown): boolean {
  return unbuiltItems.has(type) || (typeof type === 'string' && type.startsWith('service:'));
}

function parseMessage(fields: Fields, issues: Issues): InputItem | undefined {
  const role = fields.oneOf('role', roles);
  fields.string('id');
  fields.oneOf('status', statuses);
  if (fields.oneOf('phase', ['commentary', 'final_answer']) && role === 'assistant') {
    issues.addUnsupported(fields.path('phase'));
  }
  if (role === undefined) {
    return fields.has('role') ? undefined : fields.refuse('role', 'is required');
  }
  return { type: 'message', role, content: parseContent(fields, role, issues) };
}

function parseFunctionCall(fields: Fields): InputItem | undefined {
  const callId = requiredId(fields, 'call_id');
  const name = requiredId(fields, 'name');
  const argumentsText = fields.requiredString('arguments');
  fields.string('id');
  fields.oneOf('status', statuses);
  fields.unsupported('namespace');
  fields.unsupported('async', (value) => value === false);
  fields.unsupported('subagent_id');
  fields.unsupported('subagent_items');
  if (callId === undefined || name === undefined || argumentsText === undefined) return undefined;
  return { type: 'function-call', callId, name, arguments: argumentsText };
}

function parseFunctionCallOutput(fields: Fields, issues: Issues): InputItem | undefined {
  const callId = requiredId(fields, 'call_id');
  fields.string('id');
  fields.oneOf('status', statuses);
  const output = parseOutput(fields, issues);
  if (callId === undefined || output === undefined) return undefined;
  return { type: 'function-call-output', callId, output };
}

function parseOutput(fields: Fields, issues: Issues): string | undefined {
  const output = fields.value('output');
  if (output === undefined) return fields.refuse('output', 'is required');
  if (typeof output === 'string') return output;
  if (!Array.isArray(output)) {
    return fields.refuse('output', 'must be a string or an array of content parts');
  }
  const parts = parseParts(fields, 'output', ['input_text'], issues);
  return parts.map(({ text }) => text).join('');
}

/** Thoughts of an earlier turn: no dialect that is built can take them back, so they are left out. */
function checkReasoning(fields: Fields): undefined {
  fields.requiredString('id');
  fields.array('summary', inputItemsMax);
  fields.array('content', inputItemsMax);
  fields.string('encrypted_content');
  fields.string('signature');
  fields.oneOf('status', statuses);
}

function requiredId(fields: Fields, name: string): string | undefined {
  return fields.requiredString(name, { charactersMin: 1, charactersMax: identifierCharactersMax });
}

/** Every output follows its call, and every call has an output. */
function checkToolCalls(items: readonly (InputItem | undefined)[], issues: Issues): void {
  const called = new Set<string>();
  const unanswered = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    if (item?.type === 'function-call') {
      called.add(item.callId);
      unanswered.set(item.callId, index);
    } else if (item?.type === 'function-call-output') {
      unanswered.delete(item.callId);
      if (!called.has(item.callId)) refuseCallId(index, 'names no earlier function_call', issues);
    }
  }
  for (const index of unanswered.values()) {
    refuseCallId(index, 'has no function_call_output', issues);
  }
}

function refuseCallId(index: number, message: string, issues: Issues): void {
  issues.add(`input[${String(index)}].call_id`, message, 'invalid_prompt');
}
