import { randomBytes } from 'node:crypto';
import { checkCompletion } from './chat-rules.ts';
import { errorBody, reportedUsage, type Dialect, type Frame, type Served } from './dialect.ts';
import { chunksOf, countOutput, type Generation, type OutputPart } from './generation.ts';
import { likeliestCountOf, openAiLogprobs } from './logprobs.ts';
import {
  BadRequest,
  isObject,
  outputTokensMaxOf,
  serviceTierOf,
  stopsOf,
  roleOf,
  textOf,
  toolChoiceOf,
  type JsonObject,
  type Prompt,
  type Tool,
  type Turn,
} from './prompt.ts';

/** `POST /v1/chat/completions` */
export const chatCompletions: Dialect = {
  name: 'chat-completions',
  newId: () => `chatcmpl-sim-${randomBytes(12).toString('hex')}`,
  readPrompt,
  body: completion,
  // One that has not ended, or failed, is not kept.
  stored: (served, { status, parts }) =>
    status === 'in_progress' || status === 'failed'
      ? undefined
      : {
          ...head(served, 'chat.completion'),
          choices: [],
          usage: usageOf({ ...served.generation, parts }),
        },
  frames,
  failure: () => ({
    frames: `data: ${JSON.stringify(errorBody(500, 'The simulated model broke'))}\n\n`,
    status: 500,
    body: errorBody(500, 'The simulated model broke'),
  }),
};

const finishReasons = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
} as const;

function readPrompt(body: JsonObject): Prompt {
  const { model, messages, stream, stream_options: streamOptions } = body;
  if (typeof model !== 'string' || model === '') throw new BadRequest('model is required');
  if (!Array.isArray(messages) || messages.length === 0)
    throw new BadRequest('messages must be a non-empty array');
  checkCompletion(body, messages);
  return {
    model,
    turns: messages.flatMap(readMessage),
    tools: Array.isArray(body['tools']) ? body['tools'].map(readTool) : [],
    toolChoice: toolChoiceOf(body['tool_choice']),
    parallelToolCalls: body['parallel_tool_calls'] !== false,
    outputTokensMax: outputTokensMaxOf(body['max_completion_tokens'], body['max_tokens']),
    streamed: stream === true,
    ...serviceTierOf(body['service_tier']),
    includeUsage: isObject(streamOptions) && streamOptions['include_usage'] === true,
    isStored: body['store'] === true,
    answerSchema: schemaOf(body['response_format']),
    wantsJson:
      isObject(body['response_format']) && body['response_format']['type'] === 'json_object',
    ...stopsOf(body['stop']),
    ...likeliestCountOf(body, body['logprobs'] === true),
    isReasoning:
      typeof body['reasoning_effort'] === 'string' && body['reasoning_effort'] !== 'none',
  };
}

function schemaOf(format: unknown): unknown {
  const named = isObject(format) ? format['json_schema'] : undefined;
  return isObject(named) ? named['schema'] : undefined;
}

function readMessage(message: unknown): readonly Turn[] {
  if (!isObject(message) || typeof message['role'] !== 'string')
    throw new BadRequest('each message needs a role');
  const role = roleOf(message['role']);
  const turns: Turn[] = [];
  const text = textOf(message['content']);
  if (text !== '') turns.push({ role, text });
  const calls = Array.isArray(message['tool_calls']) ? message['tool_calls'] : [];
  for (const call of calls) {
    const called = isObject(call) && isObject(call['function']) ? call['function'] : {};
    turns.push({ role: 'assistant', text: textOf(called['arguments']) });
  }
  return turns;
}

function readTool(tool: unknown): Tool {
  const definition = isObject(tool) ? tool['function'] : undefined;
  if (!isObject(definition) || typeof definition['name'] !== 'string')
    throw new BadRequest('each tool must be a function with a name');
  const { name, parameters } = definition;
  return { name, parameters, definition: JSON.stringify({ name, parameters }) };
}

function completion(served: Served): object {
  const { parts, finish } = served.generation;
  const text = joined(parts, 'text');
  const calls = parts.filter((part) => part.type === 'tool-call');
  const reasoning = joined(parts, 'reasoning');
  const usage = reportedUsage(served, usageOf);
  return {
    ...head(served, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text === '' && calls.length > 0 ? null : text,
          refusal: joined(parts, 'refusal') || null,
          ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
          ...(calls.length > 0 ? { tool_calls: calls.map((part) => toolCall(served, part)) } : {}),
        },
        logprobs: logprobsOf(served, text),
        finish_reason: finishReasons[finish],
      },
    ],
    ...(usage === null ? {} : { usage }),
  };
}

function* frames(served: Served): Iterable<Frame> {
  const { parts, finish } = served.generation;
  const { includeUsage } = served.prompt;
  const chunk = (delta: object, finishReason: string | null = null, said = '') =>
    data({
      ...head(served, 'chat.completion.chunk'),
      choices: [
        { index: 0, delta, logprobs: logprobsOf(served, said), finish_reason: finishReason },
      ],
      ...(includeUsage ? { usage: null } : {}),
    });
  yield { type: 'open', bytes: chunk({ role: 'assistant', content: '', refusal: null }) };
  for (const [number, part] of parts.entries()) {
    if (part.type === 'tool-call')
      yield { type: 'open', bytes: chunk(toolCallDelta(served, part, '')) };
    for (const text of chunksOf(part.text)) {
      const bytes = chunk(deltaOf(served, part, text), null, part.type === 'text' ? text : '');
      yield { type: 'chunk', part: number, text, bytes };
    }
  }
  yield { type: 'terminal', bytes: chunk({}, finishReasons[finish]) };
  const usage = reportedUsage(served, usageOf);
  if (includeUsage && usage !== null)
    yield {
      type: 'terminal',
      bytes: data({
        ...head(served, 'chat.completion.chunk'),
        choices: [],
        usage,
      }),
    };
  yield { type: 'terminal', bytes: 'data: [DONE]\n\n' };
}

/** null: the prompt asks for none, or there is no text. */
function logprobsOf({ prompt }: Served, text: string): object | null {
  const content = openAiLogprobs(text, prompt.likeliestCount);
  return content.length === 0 ? null : { content, refusal: null };
}

function deltaOf(served: Served, part: OutputPart, text: string): object {
  switch (part.type) {
    case 'text':
      return { content: text };
    case 'refusal':
      return { refusal: text };
    case 'search':
      return {};
    case 'reasoning':
      return { reasoning_content: text };
    case 'tool-call': {
      const index = callIndex(served, part);
      return { tool_calls: [{ index, function: { arguments: text } }] };
    }
  }
}

function toolCallDelta(served: Served, part: OutputPart, text: string): object {
  const call = { ...toolCall(served, part), function: { name: part.name, arguments: text } };
  return { tool_calls: [{ index: callIndex(served, part), ...call }] };
}

function toolCall(served: Served, part: OutputPart) {
  return {
    id: `call_${served.id.slice(-8)}_${callIndex(served, part)}`,
    type: 'function',
    function: { name: part.name, arguments: part.text },
  };
}

function callIndex(served: Served, part: OutputPart): number {
  return served.generation.parts.filter(({ type }) => type === 'tool-call').indexOf(part);
}

function usageOf(generation: Generation): object {
  const { output, reasoning } = countOutput(generation.parts);
  return {
    prompt_tokens: generation.inputTokens,
    completion_tokens: output,
    total_tokens: generation.inputTokens + output,
    prompt_tokens_details: { cached_tokens: generation.cachedTokens, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: reasoning, audio_tokens: 0 },
  };
}

function joined(parts: readonly OutputPart[], type: OutputPart['type']): string {
  return parts
    .filter((part) => part.type === type)
    .map((part) => part.text)
    .join('');
}

function head(served: Served, object: string) {
  const { id, createdAtSeconds, prompt, generation } = served;
  return {
    id,
    object,
    created: createdAtSeconds,
    model: prompt.model,
    service_tier: generation.serviceTier,
    system_fingerprint: 'sim',
  };
}

function data(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
