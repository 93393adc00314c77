import { fieldsOf, refuseUnknown } from './known-fields.ts';
import { BadRequest, isObject, type JsonObject } from './prompt.ts';

const fields = fieldsOf(`
  model messages max_tokens system stream temperature top_k top_p stop_sequences tools tool_choice thinking
  output_config metadata service_tier container context_management mcp_servers cache_control inference_geo speed
`);
const toolNamePattern = /^[a-zA-Z0-9_-]{1,128}$/;
const depthMax = 64;
const strictToolsMax = 20;

/** Refuses a request as the real API does, beside the rules of single messages. Throws BadRequest. */
export function checkMessages(body: JsonObject, messages: readonly unknown[]): void {
  refuseUnknown(body, fields, (name) => `${name}: Extra inputs are not permitted`);
  if (body['temperature'] !== undefined && body['top_p'] !== undefined)
    throw new BadRequest(
      '`temperature` and `top_p` cannot both be specified for this model. Please use only one.',
    );
  checkTools(body['tools']);
  checkSchema(body['output_config']);
  checkEnd(messages);
  for (const [index, message] of messages.entries()) checkOrder(message, index);
  if (isObject(body['thinking']) && body['thinking']['type'] === 'enabled') checkThinking(messages);
}

function checkTools(tools: unknown): void {
  if (!Array.isArray(tools)) return;
  const names = tools.filter(isObject).map(({ name }) => name);
  if (new Set(names).size < names.length) throw new BadRequest('tools: Tool names must be unique.');
  for (const [index, name] of names.entries())
    if (typeof name === 'string' && !toolNamePattern.test(name))
      throw new BadRequest(`tools.${index}.custom.name: String should match pattern`);
  const strict = tools.filter(isObject).filter((tool) => tool['strict'] === true);
  if (strict.length > strictToolsMax)
    throw new BadRequest(`Too many strict tools (${strict.length}). The maximum number is 20.`);
  for (const { input_schema: schema } of strict) checkClosed(schema, 0, 'tools.input_schema');
}

function checkSchema(config: unknown): void {
  const format = isObject(config) ? config['format'] : undefined;
  if (isObject(format)) checkClosed(format['schema'], 0, 'output_config.format.schema');
}

function checkClosed(schema: unknown, depth: number, path: string): void {
  if (depth > depthMax || typeof schema !== 'object' || schema === null) return;
  if (isObject(schema) && schema['type'] === 'object' && schema['additionalProperties'] !== false)
    throw new BadRequest(
      `${path}: For 'object' type, 'additionalProperties' must be explicitly set to false`,
    );
  for (const inner of Object.values(schema)) checkClosed(inner, depth + 1, path);
}

function checkEnd(messages: readonly unknown[]): void {
  const last = messages.at(-1);
  if (!isObject(last) || last['role'] !== 'assistant') return;
  const blocks = blocksOf(last);
  if (blocks.some(({ type }) => type === 'tool_use'))
    throw new BadRequest('`tool_use` ids were found without `tool_result` blocks after them');
  const text = typeof last['content'] === 'string' ? last['content'] : blocks.at(-1)?.['text'];
  if (typeof text === 'string' && text !== text.trimEnd())
    throw new BadRequest('messages: final assistant content cannot end with trailing whitespace');
}

/** Nothing stands after the calls of a turn or before their results, and no turn ends with thoughts. */
function checkOrder(message: unknown, index: number): void {
  const types = blocksOf(message).map(({ type }) => type);
  if (isObject(message) && message['role'] === 'assistant' && types.includes('image'))
    throw new BadRequest(`messages.${index}: \`image\` blocks are allowed in user messages only`);
  const call = types.indexOf('tool_use');
  const isCall = (type: unknown): boolean => type === 'tool_use' || isThought(type);
  if (call !== -1 && !types.slice(call).every(isCall))
    throw new BadRequest(
      `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after`,
    );
  if (isThought(types.at(-1)))
    throw new BadRequest(
      `messages.${index}: The final block in an assistant message cannot be \`thinking\`.`,
    );
  if (
    types.lastIndexOf('tool_result') !==
    types.filter((type) => type === 'tool_result').length - 1
  )
    throw new BadRequest(
      `messages.${index}: Messages following \`tool_use\` blocks must begin with \`tool_result\` blocks.`,
    );
}

function isThought(type: unknown): boolean {
  return type === 'thinking' || type === 'redacted_thinking';
}

/** A turn that goes on must have begun with thoughts. */
function checkThinking(messages: readonly unknown[]): void {
  const last = messages.at(-1);
  const isAnswered = blocksOf(last).some(({ type }) => type === 'tool_result');
  const turn = isAnswered ? messages.at(-2) : last;
  if (!isObject(turn) || turn['role'] !== 'assistant') return;
  const first = blocksOf(turn)[0]?.['type'];
  if (!isThought(first))
    throw new BadRequest(
      'When `thinking` is enabled, a final `assistant` message must start with a thinking block',
    );
}

function blocksOf(message: unknown): readonly JsonObject[] {
  const content = isObject(message) ? message['content'] : undefined;
  return Array.isArray(content) ? content.filter(isObject) : [];
}
