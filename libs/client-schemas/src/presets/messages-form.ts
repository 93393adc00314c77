import { isObject, type JsonObject } from '../fields.ts';
import { listOf, nonEmpty, objectOf } from './chat-form.ts';
import { present, without } from './content.ts';

/** The fields of a message that have another name or form in a preset. */
const renamed = [
  'max_tokens',
  'stop_sequences',
  'top_k',
  'top_p',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'output_format',
  'speed',
  'service_tier',
  'fallbacks',
];
/** The least budget that Anthropic's format has. */
const budgetMin = 1_024;

/** Returns the fields of a valid message in the words of a preset. */
export function messagesToConfig(body: JsonObject): JsonObject {
  const { tools, tool_choice: choice, thinking, speed, service_tier: tier, fallbacks } = body;
  const { effort, format = body['output_format'] } = objectOf(body['output_config']);
  const thoughts = thoughtsFrom(thinking, effort);
  const verbosity = thoughts?.['enabled'] === false || !thoughts ? effort : undefined;
  const models = listOf(fallbacks).map((fallback) => objectOf(fallback)['model']);
  return present({
    ...without(body, ...renamed),
    max_output_tokens: body['max_tokens'],
    stop: body['stop_sequences'],
    // -1 leaves it to the model.
    top_k: body['top_k'] === -1 ? undefined : body['top_k'],
    top_p: body['top_p'] === -1 ? undefined : body['top_p'],
    tools: tools && listOf(tools).map(toolFrom),
    tool_choice: choiceFrom(choice),
    parallel_tool_calls: objectOf(choice)['disable_parallel_tool_use'] === true ? false : undefined,
    reasoning: thoughts,
    text: nonEmpty(present({ verbosity, format: formatFrom(format) })),
    service_tier: speed === 'fast' ? 'fast' : tier === 'standard_only' ? 'default' : tier,
    ...(models.length > 0 && { models }),
  });
}

/** Returns the fields of a preset in the words of a message. */
export function configToMessages(config: JsonObject): JsonObject {
  const { stop, tools, reasoning, text, parallel_tool_calls: parallel } = config;
  const { verbosity, format, ...others } = objectOf(text);
  const hasSchema = isObject(format) && format['type'] === 'json_schema';
  const { thinking, effort } = thoughtsTo(objectOf(reasoning));
  const output = present({
    effort: effort ?? verbosity,
    format: hasSchema ? { type: 'json_schema', schema: format['schema'] } : undefined,
  });
  const names = ['max_output_tokens', 'stop', 'tools', 'tool_choice', 'parallel_tool_calls'];
  return present({
    ...without(config, ...names, 'reasoning', 'text'),
    max_tokens: config['max_output_tokens'],
    stop_sequences: typeof stop === 'string' ? [stop] : stop,
    tools: tools === undefined ? undefined : listOf(tools).map(toolTo),
    tool_choice: choiceTo(config['tool_choice'], parallel === false),
    thinking,
    output_config: nonEmpty(output),
    text: nonEmpty(present({ ...others, format: hasSchema || !format ? undefined : format })),
  });
}

function thoughtsFrom(thinking: unknown, effort: unknown): JsonObject | undefined {
  if (!isObject(thinking)) return undefined;
  if (thinking['type'] === 'disabled') return { enabled: false };
  if (thinking['type'] === 'enabled')
    return present({ effort, max_tokens: thinking['budget_tokens'] });
  return present({ effort, enabled: true });
}

function thoughtsTo({ effort, max_tokens: tokens, enabled }: JsonObject) {
  if (enabled === false || effort === 'none' || tokens === 0)
    return { thinking: { type: 'disabled' } };
  const words = effort === 'minimal' ? 'low' : effort;
  if (typeof tokens === 'number')
    return {
      thinking: { type: 'enabled', budget_tokens: Math.max(budgetMin, tokens) },
      effort: words,
    };
  if (words === undefined && enabled !== true) return {};
  return { thinking: { type: 'adaptive' }, effort: words };
}

/** Tools of the client have no type, or `custom`. */
function toolFrom(tool: unknown): unknown {
  if (!isObject(tool) || (tool['type'] ?? 'custom') !== 'custom') return tool;
  const { type: _type, input_schema: parameters, ...rest } = tool;
  return { type: 'function', ...rest, parameters };
}

function toolTo(tool: unknown): unknown {
  if (!isObject(tool) || tool['type'] !== 'function') return tool;
  const { type: _type, parameters, ...rest } = tool;
  return { ...rest, input_schema: parameters ?? { type: 'object' } };
}

function choiceFrom(choice: unknown): unknown {
  if (!isObject(choice)) return undefined;
  const { type, name } = choice;
  if (type === 'tool') return { type: 'function', name };
  return type === 'any' ? 'required' : type;
}

function choiceTo(choice: unknown, isSerial: boolean): unknown {
  const serial = isSerial ? { disable_parallel_tool_use: true } : {};
  if (choice === undefined) return isSerial ? { type: 'auto', ...serial } : undefined;
  if (choice === 'none') return { type: 'none' };
  if (choice === 'required') return { type: 'any', ...serial };
  if (choice === 'auto') return { type: 'auto', ...serial };
  const { name, type } = objectOf(choice);
  return name === undefined ? { type } : { type: 'tool', name, ...serial };
}

function formatFrom(format: unknown): unknown {
  if (!isObject(format)) return undefined;
  return { type: 'json_schema', name: 'answer', schema: format['schema'] };
}
