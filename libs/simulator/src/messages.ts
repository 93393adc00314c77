import { randomBytes } from 'node:crypto';
import { writtenValue } from './arguments.ts';
import { event, reportedUsage, type Dialect, type Frame, type Served } from './dialect.ts';
import { chunksOf, countOutput, type Generation, type OutputPart } from './generation.ts';
import { readMessagesPrompt } from './messages-prompt.ts';
import { citationsOf, searchBlocks, searchFrames } from './messages-searches.ts';

/** `POST /v1/messages`: Anthropic's API. */
export const messages: Dialect = {
  name: 'messages',
  newId: () => `msg_sim_${randomBytes(12).toString('hex')}`,
  readPrompt: readMessagesPrompt,
  body: message,
  // It keeps no answers.
  stored: () => undefined,
  frames,
  errorBody,
  failure: () => ({
    frames: event('error', errorBody(500, 'The simulated model broke')),
    status: 500,
    body: errorBody(500, 'The simulated model broke'),
  }),
};

const stopReasons = {
  stop: 'end_turn',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  'content-filter': 'refusal',
} as const;

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

function errorBody(status: number, text: string): object {
  const type = errorTypes[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
  return { type: 'error', error: { type, message: text } };
}

function message(served: Served): object {
  const { parts } = served.generation;
  return {
    ...head(served),
    content: parts.flatMap((part, index) => blocksOf(served, part, index)),
    ...endOf(served),
    usage: reportedUsage(served, usageOf),
  };
}

function* frames(served: Served): Iterable<Frame> {
  const { parts } = served.generation;
  const told = reportedUsage(served, usageOf);
  // The rest of the usage is not known yet.
  const usage = told === null ? null : { ...(told as object), output_tokens: 1 };
  const start = { ...head(served), content: [], stop_reason: null, usage };
  yield { type: 'open', bytes: event('message_start', { message: start }) };
  let block = 0;
  for (const [index, part] of parts.entries()) {
    const place = { index, block };
    if (part.type === 'search') yield* searchFrames(served, part, place);
    else yield* blockFrames(served, part, place);
    block += part.type === 'search' ? 2 : 1;
  }
  const delta = endOf(served);
  yield {
    type: 'terminal',
    bytes: event('message_delta', { delta, ...(told === null ? {} : { usage: told }) }),
  };
  yield { type: 'terminal', bytes: event('message_stop', {}) };
}

function endOf({ generation: { finish, stopSequence } }: Served): object {
  return stopSequence === undefined
    ? { stop_reason: stopReasons[finish], stop_sequence: null }
    : { stop_reason: 'stop_sequence', stop_sequence: stopSequence };
}

function blocksOf(served: Served, part: OutputPart, index: number): readonly object[] {
  return part.type === 'search'
    ? searchBlocks(served, part, index)
    : [blockOf(served, part, index)];
}

function* blockFrames(
  served: Served,
  part: OutputPart,
  { index, block }: { readonly index: number; readonly block: number },
): Iterable<Frame> {
  const open = (type: string, payload: object): Frame => ({
    type: 'open',
    bytes: event(type, { index: block, ...payload }),
  });
  yield open('content_block_start', { content_block: emptyBlock(served, part, index) });
  for (const text of chunksOf(part.text))
    yield {
      type: 'chunk',
      part: index,
      text,
      bytes: event('content_block_delta', { index: block, delta: deltaOf(part, text) }),
    };
  for (const citation of citationsOf(part))
    yield open('content_block_delta', { delta: { type: 'citations_delta', citation } });
  if (part.type === 'reasoning')
    yield open('content_block_delta', { delta: { type: 'signature_delta', signature: 'c2ln' } });
  yield open('content_block_stop', {});
}

function deltaOf(part: OutputPart, text: string): object {
  switch (part.type) {
    case 'reasoning':
      return { type: 'thinking_delta', thinking: text };
    case 'tool-call':
      return { type: 'input_json_delta', partial_json: text };
    case 'text':
    case 'refusal':
    case 'search':
      return { type: 'text_delta', text };
  }
}

function emptyBlock(served: Served, part: OutputPart, index: number): object {
  switch (part.type) {
    case 'reasoning':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'tool-call':
      return { type: 'tool_use', id: callId(served, index), name: part.name, input: {} };
    case 'text':
    case 'refusal':
    case 'search':
      return { type: 'text', text: '' };
  }
}

function blockOf(served: Served, part: OutputPart, index: number): object {
  switch (part.type) {
    case 'reasoning':
      return { type: 'thinking', thinking: part.text, signature: 'c2ln' };
    case 'tool-call': {
      const block = emptyBlock(served, part, index);
      return { ...block, input: writtenValue(part.text) };
    }
    case 'text':
    case 'refusal':
    case 'search': {
      const citations = citationsOf(part);
      return { type: 'text', text: part.text, ...(citations.length > 0 && { citations }) };
    }
  }
}

function callId(served: Served, index: number): string {
  return `toolu_${served.id.slice(-8)}_${index}`;
}

/** Returns the usage. Cached tokens stand beside the input tokens there. */
function usageOf({ inputTokens, cachedTokens, parts }: Generation): object {
  const searches = parts.filter(({ search }) => search).length;
  return {
    input_tokens: inputTokens - cachedTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cachedTokens,
    output_tokens: countOutput(parts).output,
    service_tier: 'standard',
    ...(searches > 0 && { server_tool_use: { web_search_requests: searches } }),
  };
}

function head({ id, prompt }: Served) {
  return { id, type: 'message', role: 'assistant', model: prompt.model, stop_sequence: null };
}
