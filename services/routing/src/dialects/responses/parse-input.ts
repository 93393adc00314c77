import type { ContentPart, InputItem, ReasoningItem } from '@sluice/inference';
import { Fields, isObject, type JsonObject } from './fields.ts';
import type { Issues } from './issues.ts';
import { identifierCharactersMax, inputItemsMax } from './limits.ts';
import { parseNativeItem } from './native-items.ts';
import { parseContent, parseParts, toolOutputTypes } from './parse-content.ts';
import { openThought } from './sealed-thought.ts';
import { parseTools, type ParsedTool } from './parse-tools.ts';

const roles = ['user', 'system', 'assistant', 'developer'] as const;
const addingRoles = [
  'unknown',
  'user',
  'assistant',
  'system',
  'critic',
  'discriminator',
  'developer',
  'tool',
] as const;
const thoughtFormats = [
  'unknown',
  'openai-responses-v1',
  'azure-openai-responses-v1',
  'bedrock-openai-responses-v1',
  'bedrock-xai-responses-v1',
  'xai-responses-v1',
  'meta-responses-v1',
  'anthropic-claude-v1',
  'google-gemini-v1',
] as const;
const statuses = ['in_progress', 'completed', 'incomplete'] as const;

/** The input of the model, in order, and the tools that stand among it. */
export interface ParsedInput {
  readonly items: readonly PlacedItem[];
  readonly tools: readonly ParsedTool[];
}

/** An item and where it stands in `input`; undefined: it is the instructions. */
export interface PlacedItem {
  readonly index: number | undefined;
  readonly item: InputItem;
}

/** `instructions` and `input` as canonical items, in the order the model reads them. */
export function parseInput(
  body: Fields,
  instructions: string | undefined,
  issues: Issues,
): ParsedInput {
  const system = instructions === undefined ? [] : [textMessage('system', instructions)];
  const input = body.value('input');
  if (typeof input === 'string')
    return { items: [...system, textMessage('user', input)], tools: [] };
  if (input !== undefined && !Array.isArray(input)) {
    body.refuse('input', 'must be a string or an array of input items');
    return { items: system, tools: [] };
  }
  const given = input === undefined ? [] : (body.array('input', inputItemsMax) ?? []);
  const isEmpty = input === undefined || (Array.isArray(input) && input.length === 0);
  if (isEmpty) requireSomething(body, instructions, issues);
  const resolved = withReferences(given, issues);
  const tools: ParsedTool[] = [];
  const items = resolved.flatMap((item, index): readonly PlacedItem[] => {
    const parsed = parseItem(item, `input[${String(index)}]`, { issues, tools });
    return parsed ? [{ index, item: parsed }] : [];
  });
  refuseAdjacentUpdates(items, issues);
  refuseSuspended(resolved, issues);
  return { items: [...system, ...items], tools };
}

function requireSomething(body: Fields, instructions: string | undefined, issues: Issues): void {
  if (instructions === undefined && !body.has('prompt'))
    issues.add('input', 'is required', 'invalid_prompt');
}

function textMessage(role: 'system' | 'user', text: string): PlacedItem {
  return { index: undefined, item: { type: 'message', role, content: [{ type: 'text', text }] } };
}

/** Nothing is stored: a reference can only name another item of the same request. */
function withReferences(items: readonly unknown[], issues: Issues): readonly unknown[] {
  const byId = new Map<unknown, JsonObject>();
  for (const item of items)
    if (isObject(item) && item['type'] !== 'item_reference' && typeof item['id'] === 'string')
      byId.set(item['id'], item);
  return items.map((item, index) => {
    if (!isObject(item) || item['type'] !== 'item_reference') return item;
    const found = byId.get(item['id']);
    if (!found)
      issues.add(
        `input[${String(index)}].id`,
        'names no item of this request: nothing is stored, send the item itself',
      );
    return found ?? item;
  });
}

interface Surroundings {
  readonly issues: Issues;
  /** Takes what an item adds to the tools. */
  readonly tools: ParsedTool[];
}

/** undefined: an item that tells the model nothing, or a bad one. */
function parseItem(
  item: unknown,
  path: string,
  { issues, tools }: Surroundings,
): InputItem | undefined {
  if (!isObject(item)) return issues.add(path, 'must be an input item', 'invalid_prompt');
  const fields = new Fields(item, { path, issues, code: 'invalid_prompt' });
  const type = item['type'] ?? ('role' in item ? 'message' : undefined);
  switch (type) {
    case 'message':
      return parseMessage(fields, issues);
    case 'function_call':
      return parseFunctionCall(fields);
    case 'custom_tool_call':
      return parseCustomCall(fields);
    case 'function_call_output':
      return parseOutput('function-call-output', fields, issues);
    case 'custom_tool_call_output':
      return parseOutput('custom-tool-call-output', fields, issues);
    case 'reasoning':
      return parseReasoning(fields, issues);
    case 'additional_tools':
      if (!fields.has('role')) fields.refuse('role', 'is required');
      if (!fields.has('tools')) fields.refuse('tools', 'is required');
      fields.oneOf('role', addingRoles);
      return void tools.push(...parseTools(fields, issues));
    case 'item_reference':
      return undefined;
    case undefined:
      return fields.refuse('type', 'is required');
    default:
      return parseNativeItem(type, item, { path, issues, code: 'invalid_prompt' });
  }
}

function parseMessage(fields: Fields, issues: Issues): InputItem | undefined {
  const role = fields.oneOf('role', roles);
  fields.string('id');
  fields.oneOf('status', statuses);
  const phase = fields.oneOf('phase', ['commentary', 'final_answer']);
  if (role === undefined) {
    return fields.has('role') ? undefined : fields.refuse('role', 'is required');
  }
  const content = parseContent(fields, role, issues);
  return { type: 'message', role, content, ...(role === 'assistant' && phase && { phase }) };
}

function parseFunctionCall(fields: Fields): InputItem | undefined {
  const callId = requiredId(fields, 'call_id');
  const name = requiredId(fields, 'name');
  const argumentsText = fields.requiredString('arguments');
  checkCall(fields);
  const namespace = optionalName(fields, 'namespace');
  if (callId === undefined || name === undefined || argumentsText === undefined) return undefined;
  const named = namespace === undefined ? {} : { namespace };
  return { type: 'function-call', callId, name, arguments: argumentsText, ...named };
}

function parseCustomCall(fields: Fields): InputItem | undefined {
  const callId = requiredId(fields, 'call_id');
  const name = requiredId(fields, 'name');
  const input = fields.requiredString('input');
  checkCall(fields);
  const namespace = optionalName(fields, 'namespace');
  if (callId === undefined || name === undefined || input === undefined) return undefined;
  const named = namespace === undefined ? {} : { namespace };
  return { type: 'custom-tool-call', callId, name, input, ...named };
}

function checkCall(fields: Fields): void {
  fields.string('id');
  fields.oneOf('status', statuses);
  fields.boolean('async');
}

function parseOutput(
  type: 'function-call-output' | 'custom-tool-call-output',
  fields: Fields,
  issues: Issues,
): InputItem | undefined {
  const callId = requiredId(fields, 'call_id');
  fields.string('id');
  fields.oneOf('status', statuses);
  const output = outputOf(fields, issues);
  if (callId === undefined || output === undefined) return undefined;
  return { type, callId, output };
}

function outputOf(fields: Fields, issues: Issues): string | readonly ContentPart[] | undefined {
  const output = fields.value('output');
  if (output === undefined) return fields.refuse('output', 'is required');
  if (typeof output === 'string') return output;
  if (!Array.isArray(output)) {
    return fields.refuse('output', 'must be a string or an array of content parts');
  }
  return parseParts(fields, 'output', toolOutputTypes, issues);
}

function parseReasoning(fields: Fields, issues: Issues): ReasoningItem | undefined {
  const id = fields.requiredString('id');
  const summary = texts(fields, 'summary', issues);
  const content = texts(fields, 'content', issues);
  const encrypted = fields.string('encrypted_content');
  const signature = fields.string('signature');
  const format = fields.oneOf('format', thoughtFormats);
  fields.oneOf('status', statuses);
  if (id === undefined) return undefined;
  const sealed = openThought(encrypted);
  if (!sealed) return { type: 'reasoning', id, summary, content, encrypted, signature, format };
  const { content: kept, ...replay } = sealed;
  return {
    type: 'reasoning',
    id,
    summary,
    content: kept === undefined ? content : [kept],
    ...replay,
  };
}

function texts(fields: Fields, name: string, issues: Issues): readonly string[] {
  return (fields.array(name, inputItemsMax) ?? []).flatMap((part, index) => {
    const path = `${fields.path(name)}[${String(index)}]`;
    const text = isObject(part) ? part['text'] : undefined;
    if (typeof text === 'string') return [text];
    issues.add(path, 'must have a text', 'invalid_prompt');
    return [];
  });
}

function optionalName(fields: Fields, name: string): string | undefined {
  return fields.string(name, { charactersMin: 1, charactersMax: identifierCharactersMax });
}

function requiredId(fields: Fields, name: string): string | undefined {
  return fields.requiredString(name, { charactersMin: 1, charactersMax: identifierCharactersMax });
}

function refuseAdjacentUpdates(items: readonly PlacedItem[], issues: Issues): void {
  let isAfterUpdate = false;
  for (const { index, item } of items) {
    const isUpdate = item.type === 'native' && item.item['type'] === 'configuration_update';
    if (isUpdate && isAfterUpdate)
      issues.add(`input[${String(index)}]`, 'follows another configuration_update');
    isAfterUpdate = isUpdate;
  }
}

/** A call that a subagent made goes on only where that subagent is told as well. */
function refuseSuspended(items: readonly unknown[], issues: Issues): void {
  const agents = new Set<unknown>();
  for (const item of items)
    if (isObject(item) && item['type'] === 'service:subagent') agents.add(item['call_id']);
  for (const [index, item] of items.entries()) {
    const id = isObject(item) && item['type'] === 'function_call' ? item['subagent_id'] : undefined;
    if (id === undefined || id === null) continue;
    const path = `input[${String(index)}].subagent_id`;
    if (agents.has(id)) issues.addUnbuilt(path, 'the tool service:subagent');
    else issues.add(path, 'names no subagent of this input', 'invalid_prompt');
  }
}
