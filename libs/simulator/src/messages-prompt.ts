import { checkMessages } from './messages-rules.ts';
import {
  BadRequest,
  isObject,
  mediaTokensText,
  outputTokensMaxOf,
  stopsOf,
  type JsonObject,
  type Prompt,
  type Tool,
  type Turn,
} from './prompt.ts';

const cacheMarksMax = 4;
const thinkingMin = 1_024;
const thinkingTypes: ReadonlySet<unknown> = new Set(['enabled', 'adaptive']);

/** Throws BadRequest for what the real API refuses. */
export function readMessagesPrompt(body: JsonObject): Prompt {
  const { model, messages, system, stream, tools, tool_choice: choice } = body;
  if (typeof model !== 'string' || model === '') throw new BadRequest('model: Field required');
  const outputTokensMax = outputTokensMaxOf(body['max_tokens']);
  if (outputTokensMax === undefined) throw new BadRequest('max_tokens: Field required');
  if (!Array.isArray(messages) || messages.length === 0)
    throw new BadRequest('messages: at least one message is required');
  checkSampling(body, outputTokensMax);
  if ((JSON.stringify(body).match(/"cache_control":/g) ?? []).length > cacheMarksMax)
    throw new BadRequest('A maximum of 4 blocks with cache_control may be provided.');
  const turns = messages.flatMap(readMessage);
  checkToolResults(messages);
  checkMessages(body, messages);
  return {
    model,
    turns: [...blocksText(system).map((text) => ({ role: 'system' as const, text })), ...turns],
    tools: Array.isArray(tools) ? tools.map(readTool) : [],
    toolChoice: toolChoiceOf(choice),
    parallelToolCalls: !isObject(choice) || choice['disable_parallel_tool_use'] !== true,
    outputTokensMax,
    ...searchesMaxOf(tools),
    streamed: stream === true,
    includeUsage: true,
    isStored: false,
    ...stopsOf(body['stop_sequences']),
    answerSchema: schemaOf(body['output_config']),
    isReasoning: isObject(body['thinking']) && thinkingTypes.has(body['thinking']['type']),
  };
}

function searchesMaxOf(tools: unknown): Pick<Prompt, 'nativeCallsMax'> {
  const all = Array.isArray(tools) ? tools.filter(isObject) : [];
  const max = all.find(({ type }) => type === searchTool)?.['max_uses'];
  return typeof max === 'number' ? { nativeCallsMax: max } : {};
}

function checkSampling(body: JsonObject, outputTokensMax: number): void {
  const { temperature, thinking, tool_choice: choice } = body;
  if (typeof temperature === 'number' && (temperature < 0 || temperature > 1))
    throw new BadRequest('temperature: range: 0..1');
  if (!isObject(thinking) || thinking['type'] !== 'enabled') return;
  const budget = thinking['budget_tokens'];
  if (typeof budget !== 'number' || budget < thinkingMin)
    throw new BadRequest('thinking.budget_tokens: Input should be greater than or equal to 1024');
  if (budget >= outputTokensMax)
    throw new BadRequest('`max_tokens` must be greater than `thinking.budget_tokens`.');
  if (temperature !== undefined && temperature !== 1)
    throw new BadRequest('`temperature` may only be set to 1 when thinking is enabled.');
  if (isObject(choice) && (choice['type'] === 'any' || choice['type'] === 'tool'))
    throw new BadRequest('Thinking may not be enabled when tool_choice forces tool use.');
}

function readMessage(message: unknown, index: number): readonly Turn[] {
  if (!isObject(message) || (message['role'] !== 'user' && message['role'] !== 'assistant'))
    throw new BadRequest(`messages.${index}.role: Input should be 'user' or 'assistant'`);
  if (index === 0 && message['role'] !== 'user')
    throw new BadRequest('messages: first message must use the "user" role');
  const { role, content } = message;
  if (typeof content === 'string') return [{ role, text: content }];
  if (!Array.isArray(content) || content.length === 0)
    throw new BadRequest(`messages.${index}.content: at least one block is required`);
  return content.map((block: unknown) => readBlock(block, role, `messages.${index}.content`));
}

function readBlock(block: unknown, role: 'user' | 'assistant', path: string): Turn {
  if (!isObject(block)) throw new BadRequest(`${path}: Input should be an object`);
  switch (block['type']) {
    case 'text':
      if (typeof block['text'] !== 'string' || block['text'] === '')
        throw new BadRequest(`${path}: text content blocks must be non-empty`);
      return { role, text: block['text'] };
    case 'tool_use':
      return { role: 'assistant', text: JSON.stringify(block['input']) };
    case 'tool_result':
      return { role: 'tool', text: blocksText(block['content']).join('') };
    case 'image':
    case 'document':
      if (!isObject(block['source'])) throw new BadRequest(`${path}.source: Field required`);
      return { role, text: mediaTokensText };
    case 'thinking':
      if (typeof block['signature'] !== 'string')
        throw new BadRequest(`${path}.thinking.signature: Field required`);
      return { role: 'assistant', text: '' };
    case 'redacted_thinking':
      return { role: 'assistant', text: '' };
    default:
      throw new BadRequest(`${path}.type: '${String(block['type'])}' is not a known block`);
  }
}

/** Every call of a tool is answered by the very next message. */
function checkToolResults(messages: readonly unknown[]): void {
  let open = new Set<unknown>();
  for (const message of messages) {
    const content = isObject(message) ? message['content'] : undefined;
    const blocks = (Array.isArray(content) ? content : []).filter(isObject);
    for (const block of blocks)
      if (block['type'] === 'tool_result' && !open.delete(block['tool_use_id']))
        throw new BadRequest('unexpected `tool_use_id` found in `tool_result` blocks');
    if (open.size > 0)
      throw new BadRequest('`tool_use` ids were found without `tool_result` blocks after them');
    open = new Set(blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id));
  }
}

function blocksText(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return content
    .filter(isObject)
    .map((block) => (typeof block['text'] === 'string' ? block['text'] : mediaTokensText));
}

/** Tools that the API defines, and the client runs. */
const definedTool = /^(?:bash|computer|memory|text_editor)_\d{8}$/;

/** The search that the API makes itself. */
const searchTool = 'web_search_20250305';

function readTool(tool: unknown): Tool {
  if (isObject(tool) && definedTool.test(String(tool['type'])) && typeof tool['name'] === 'string')
    return { name: tool['name'], parameters: {}, definition: JSON.stringify(tool) };
  if (isObject(tool) && tool['type'] === searchTool && tool['name'] === 'web_search')
    return {
      name: 'web_search',
      parameters: {},
      definition: JSON.stringify(tool),
      isSearch: true,
    };
  if (!isObject(tool) || typeof tool['name'] !== 'string' || !isObject(tool['input_schema']))
    throw new BadRequest('tools: each tool needs a name and an input_schema');
  const { name, input_schema: parameters } = tool;
  return { name, parameters, definition: JSON.stringify({ name, parameters }) };
}

function toolChoiceOf(choice: unknown): Prompt['toolChoice'] {
  if (!isObject(choice)) return 'auto';
  switch (choice['type']) {
    case 'any':
      return 'required';
    case 'none':
      return 'none';
    case 'tool':
      return { name: String(choice['name']) };
    default:
      return 'auto';
  }
}

function schemaOf(config: unknown): unknown {
  const format = isObject(config) ? config['format'] : undefined;
  return isObject(format) ? format['schema'] : undefined;
}
