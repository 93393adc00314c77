import { randomBytes } from 'node:crypto';
import { fieldsOf } from './known-fields.ts';
import { checkResponseRequest } from './responses-rules.ts';
import { event, reportedUsage, type Dialect, type Frame, type Served } from './dialect.ts';
import { countOutput, type Generation } from './generation.ts';
import { includesLogprobs, likeliestCountOf } from './logprobs.ts';
import {
  BadRequest,
  isObject,
  outputTokensMaxOf,
  serviceTierOf,
  roleOf,
  textOf,
  toolChoiceOf,
  type JsonObject,
  type Prompt,
  type Tool,
  type Turn,
} from './prompt.ts';
import { endStatusOf, itemFrames, itemOf } from './response-items.ts';

/** `POST /v1/responses` */
export const responses: Dialect = {
  name: 'responses',
  newId: () => `resp_sim_${randomBytes(12).toString('hex')}`,
  readPrompt,
  body: finalResponse,
  stored: (served, { status, parts }) =>
    snapshot(served, status, {
      output: parts.flatMap((part, index) =>
        part.search ? [itemOf(served, index, endStatusOf(served, index))] : [],
      ),
      usage: status === 'in_progress' ? null : usageOf({ ...served.generation, parts }),
    }),
  frames,
  failure(served) {
    const response = snapshot(served, 'failed', {
      error: { code: 'server_error', message: 'The simulated model broke' },
    });
    return {
      // A stream numbers its events; a reader that checks gaps sees that this one comes late.
      frames: event('response.failed', { response, sequence_number: failureSequenceNumber }),
      status: 200,
      body: response,
    };
  },
};

const failureSequenceNumber = 1_000_000;

function readPrompt(body: JsonObject): Prompt {
  const { model, input, instructions, stream, tools } = body;
  if (typeof model !== 'string' || model === '') throw new BadRequest('model is required');
  checkResponseRequest(body);
  const turns: Turn[] = [];
  if (typeof instructions === 'string' && instructions !== '')
    turns.push({ role: 'system', text: instructions });
  if (typeof input === 'string') turns.push({ role: 'user', text: input });
  else if (Array.isArray(input)) turns.push(...input.flatMap(readItem));
  else if (turns.length === 0 && !isObject(body['prompt']))
    throw new BadRequest('input is required');
  if (isObject(body['prompt'])) turns.push({ role: 'user', text: JSON.stringify(body['prompt']) });
  return {
    model,
    turns,
    tools: Array.isArray(tools) ? tools.flatMap(readTool) : [],
    toolChoice: toolChoiceOf(body['tool_choice']),
    parallelToolCalls: body['parallel_tool_calls'] !== false,
    outputTokensMax: outputTokensMaxOf(body['max_output_tokens']),
    ...(typeof body['max_tool_calls'] === 'number' && { nativeCallsMax: body['max_tool_calls'] }),
    streamed: stream === true,
    ...serviceTierOf(body['service_tier']),
    includeUsage: true,
    wantsSources: includes(body, 'web_search_call.action.sources'),
    isStored: body['store'] !== false,
    answerSchema: formatOf(body['text'])?.['schema'],
    wantsJson: formatOf(body['text'])?.['type'] === 'json_object',
    isReasoning: isObject(body['reasoning']) && asksToThink(body['reasoning']),
    ...likeliestCountOf(body, includesLogprobs(body)),
    wantsEncrypted: includes(body, 'reasoning.encrypted_content'),
  };
}

function includes({ include }: JsonObject, word: string): boolean {
  return Array.isArray(include) && include.includes(word);
}

/** Items of tools that have run: its own and those of clients. */
const ranItems = fieldsOf(`
  web_search_call file_search_call computer_call computer_call_output image_generation_call
  code_interpreter_call mcp_call local_shell_call local_shell_call_output shell_call shell_call_output
  apply_patch_call apply_patch_call_output mcp_list_tools mcp_approval_request mcp_approval_response
  context_compaction agent_message configuration_update
`) as ReadonlySet<unknown>;

function readItem(item: unknown): readonly Turn[] {
  if (!isObject(item)) throw new BadRequest('each input item must be an object');
  switch (item['type'] ?? 'message') {
    case 'message':
      return [{ role: roleOf(item['role']), text: textOf(item['content']) }];
    case 'function_call':
      return [{ role: 'assistant', text: textOf(item['arguments']) }];
    case 'function_call_output':
      return [{ role: 'tool', text: textOf(item['output']) }];
    case 'custom_tool_call':
      return [{ role: 'assistant', text: textOf(item['input']) }];
    case 'custom_tool_call_output':
      return [{ role: 'tool', text: textOf(item['output']) }];
    case 'reasoning':
    case 'compaction':
      return [];
    default:
      if (ranItems.has(item['type'])) return [{ role: 'assistant', text: '' }];
      throw new BadRequest(`input items of type ${String(item['type'])} are not understood`);
  }
}

function formatOf(text: unknown): JsonObject | undefined {
  const format = isObject(text) ? text['format'] : undefined;
  return isObject(format) ? format : undefined;
}

function asksToThink({ effort }: JsonObject): boolean {
  return typeof effort === 'string' && effort !== 'none';
}

function readTool(tool: unknown): readonly Tool[] {
  if (!isObject(tool) || typeof tool['type'] !== 'string')
    throw new BadRequest('each tool must have a type');
  const { type, name, tools } = tool;
  if (type === 'namespace') {
    if (typeof name !== 'string' || !Array.isArray(tools))
      throw new BadRequest('each namespace must have a name and tools');
    // The definition of the group counts once.
    return tools.map((member, index) => {
      const definition = index === 0 ? JSON.stringify(tool) : '';
      return { ...readNamedTool(member), namespace: name, definition };
    });
  }
  if (type === 'function' || type === 'custom') return [readNamedTool(tool)];
  const isSearch = type === 'web_search' && { isSearch: true as const };
  return [{ name: type, parameters: undefined, definition: JSON.stringify(tool), ...isSearch }];
}

function readNamedTool(tool: unknown): Tool {
  if (!isObject(tool)) throw new BadRequest('each tool must be an object');
  if (typeof tool['name'] !== 'string') throw new BadRequest('each tool must have a name');
  const { name, parameters } = tool;
  const definition = JSON.stringify({ name, parameters });
  return { name, parameters, definition, ...(tool['type'] === 'custom' && { isCustom: true }) };
}

function* frames(served: Served): Iterable<Frame> {
  let sequenceNumber = 0;
  const numbered = (type: string, payload: object) =>
    event(type, { sequence_number: sequenceNumber++, ...payload });
  const opening = snapshot(served, 'in_progress', {});
  yield { type: 'open', bytes: numbered('response.created', { response: opening }) };
  yield { type: 'open', bytes: numbered('response.in_progress', { response: opening }) };
  for (const [index] of served.generation.parts.entries())
    yield* itemFrames(served, index, numbered);
  const last = finalResponse(served);
  yield { type: 'terminal', bytes: numbered(`response.${last.status}`, { response: last }) };
}

function finalResponse(served: Served) {
  const { parts, finish } = served.generation;
  const isIncomplete = finish === 'length' || finish === 'content-filter';
  const reason = finish === 'length' ? 'max_output_tokens' : 'content_filter';
  return snapshot(served, isIncomplete ? 'incomplete' : 'completed', {
    incomplete_details: isIncomplete ? { reason } : null,
    output: parts.map((_part, index) => itemOf(served, index, endStatusOf(served, index))),
    usage: reportedUsage(served, usageOf),
  });
}

function snapshot(served: Served, status: string, more: object) {
  const { id, createdAtSeconds, prompt, generation } = served;
  return {
    id,
    object: 'response',
    created_at: createdAtSeconds,
    status,
    error: null,
    incomplete_details: null,
    max_output_tokens: prompt.outputTokensMax ?? null,
    model: prompt.model,
    output: [],
    parallel_tool_calls: prompt.parallelToolCalls,
    // Which tier serves is known at the end.
    service_tier: status === 'in_progress' ? 'auto' : generation.serviceTier,
    store: false,
    usage: null,
    ...more,
  };
}

function usageOf(generation: Generation): object {
  const { output, reasoning } = countOutput(generation.parts);
  return {
    input_tokens: generation.inputTokens,
    input_tokens_details: { cached_tokens: generation.cachedTokens },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: generation.inputTokens + output,
  };
}
