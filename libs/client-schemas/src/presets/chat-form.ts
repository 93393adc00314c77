import { isObject, type JsonObject } from '../fields.ts';
import { present, without } from './content.ts';

/** The fields of a chat completion that have another name or form in a preset. */
const renamed = [
  'max_completion_tokens',
  'max_tokens',
  'verbosity',
  'response_format',
  'reasoning',
  'reasoning_effort',
  'tools',
  'functions',
  'tool_choice',
  'function_call',
];

/** Returns the fields of a valid chat completion in the words of a preset. */
export function chatToConfig(body: JsonObject): JsonObject {
  const { reasoning, reasoning_effort: effort, verbosity } = body;
  const thoughts = present({ ...objectOf(reasoning), ...(effort ? { effort } : {}) });
  const text = present({ verbosity, format: formatFrom(body['response_format']) });
  const tools = [
    ...listOf(body['tools']).map(toolFrom),
    ...listOf(body['functions']).map(asFunction),
  ];
  return present({
    ...without(body, ...renamed),
    max_output_tokens: body['max_completion_tokens'] ?? body['max_tokens'],
    text: nonEmpty(text),
    reasoning: nonEmpty(thoughts),
    tools: tools.length > 0 ? tools : undefined,
    tool_choice: choiceFrom(body['tool_choice'] ?? body['function_call']),
  });
}

/** Returns the fields of a preset in the words of a chat completion. */
export function configToChat(config: JsonObject): JsonObject {
  const { text, max_output_tokens, tools, tool_choice: choice } = config;
  const { verbosity, format, ...others } = objectOf(text);
  return present({
    ...without(config, 'text', 'max_output_tokens', 'tools', 'tool_choice'),
    max_completion_tokens: max_output_tokens,
    verbosity,
    response_format: formatTo(format),
    text: nonEmpty(others),
    tools: tools === undefined ? undefined : listOf(tools).map(toolTo),
    tool_choice: choiceTo(choice),
  });
}

function formatFrom(format: unknown): unknown {
  if (!isObject(format)) return undefined;
  const { type, schema } = format;
  if (type === 'json_schema') return { type, ...objectOf(format['json_schema']) };
  if (type === 'json_object' && isObject(schema))
    return { type: 'json_schema', name: 'answer', schema };
  return format;
}

function formatTo(format: unknown): unknown {
  if (!isObject(format) || format['type'] !== 'json_schema') return format;
  const { type, ...rest } = format;
  return { type, json_schema: rest };
}

function toolFrom(tool: unknown): unknown {
  if (!isObject(tool)) return tool;
  const { type, function: called, custom, ...marks } = tool;
  if (type === 'function') return { type, ...objectOf(called), ...marks };
  if (type !== 'custom') return tool;
  const { format, ...rest } = objectOf(custom);
  const grammar = isObject(format) && isObject(format['grammar']) ? format['grammar'] : {};
  const flat = isObject(format) ? { format: { type: format['type'], ...grammar } } : {};
  return { type, ...rest, ...flat, ...marks };
}

function asFunction(body: unknown): unknown {
  return isObject(body) ? { type: 'function', ...body } : body;
}

function toolTo(tool: unknown): unknown {
  if (!isObject(tool)) return tool;
  const { type, cache_control, defer_loading, ...rest } = tool;
  const marks = present({ cache_control, defer_loading });
  if (type === 'function') return { type, function: rest, ...marks };
  if (type !== 'custom') return tool;
  const { format, ...others } = rest;
  if (!isObject(format)) return { type, custom: others, ...marks };
  const { type: kind, ...grammar } = format;
  const inner = kind === 'grammar' ? { type: kind, grammar } : { type: kind };
  return { type, custom: { ...others, format: inner }, ...marks };
}

function choiceFrom(choice: unknown): unknown {
  if (!isObject(choice)) return choice;
  const { type = 'function', function: called, custom, allowed_tools: allowed, name } = choice;
  if (type === 'allowed_tools') {
    const { mode, tools } = objectOf(allowed);
    return { type, mode, tools: listOf(tools).map(choiceFrom) };
  }
  if (type !== 'function' && type !== 'custom') return choice;
  return { type, name: name ?? objectOf(called ?? custom)['name'] };
}

function choiceTo(choice: unknown): unknown {
  if (!isObject(choice)) return choice;
  const { type, name, mode, tools } = choice;
  if (type === 'function' || type === 'custom') return { type, [type]: { name } };
  if (type !== 'allowed_tools') return choice;
  return { type, allowed_tools: { mode, tools: listOf(tools).map(choiceTo) } };
}

export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns undefined for an object without fields. */
export function nonEmpty(fields: JsonObject): JsonObject | undefined {
  return Object.keys(fields).length > 0 ? fields : undefined;
}
