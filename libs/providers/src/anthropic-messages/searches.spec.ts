import type { StreamPart } from '@sluice/inference';
import { describe, expect, test } from 'vitest';
import { readStream } from '../testing/read-stream.ts';
import { anthropicMessagesTranslator } from './anthropic-messages.ts';

const id = 'srvtoolu_1';
const found = [
  { type: 'web_search_result', url: 'https://a.example', title: 'A', encrypted_content: 'x' },
];
const broken = { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' };
const message = { id: 'msg_1', type: 'message', usage: { input_tokens: 9, output_tokens: 1 } };
const usage = { output_tokens: 5, server_tool_use: { web_search_requests: 1 } };

const event = (type: string, fields: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
const block = (index: number, content_block: object, delta?: object) => [
  event('content_block_start', { index, content_block }),
  ...(delta ? [event('content_block_delta', { index, delta })] : []),
  event('content_block_stop', { index }),
];
const search = (name = 'web_search') => ({ type: 'server_tool_use', id, name, input: {} });
const query = { type: 'input_json_delta', partial_json: '{"query":"moons"}' };

/** Reads a stream of these blocks. */
function read(blocks: readonly string[], stop = 'end_turn'): readonly StreamPart[] {
  const events = [
    event('message_start', { message }),
    ...blocks,
    event('message_delta', { delta: { stop_reason: stop }, usage }),
    event('message_stop', {}),
  ];
  return readStream(anthropicMessagesTranslator, [Buffer.from(events.join(''))]);
}

const item = (status: string, urls: readonly string[] = []) => ({
  type: 'web_search_call',
  id,
  status,
  action: { type: 'search', query: 'moons', sources: urls.map((url) => ({ type: 'url', url })) },
});
const started = { type: 'native-start', part: 0, item: item('in_progress') };
const result = (content: unknown) => ({ type: 'web_search_tool_result', content });
const ended = (status: string, content: unknown, urls?: readonly string[]) => ({
  type: 'native-end',
  part: 0,
  item: item(status, urls),
  block: { name: 'web_search', ...result(content) },
});
const nativesOf = (parts: readonly StreamPart[]) =>
  parts.filter(({ type }) => type.startsWith('native'));

describe('a search of the API', () => {
  test('is an item that begins before its result, and its usage counts it', () => {
    const parts = read([
      ...block(0, search(), query),
      ...block(1, { ...result(found), tool_use_id: id }),
      ...block(2, { type: 'text', text: 'Found.' }),
    ]);
    expect(nativesOf(parts)).toEqual([started, ended('completed', found, ['https://a.example'])]);
    expect(parts.find(({ type }) => type === 'text-start')).toMatchObject({ part: 1 });
    expect(parts.at(-1)).toMatchObject({ type: 'finish', usage: { webSearches: 1 } });
  });

  test('comes whole in a whole message', () => {
    const content = [
      { ...search(), input: { query: 'moons' } },
      { ...result(found), tool_use_id: id },
      { type: 'text', text: 'Found.' },
    ];
    const body = {
      ...message,
      content,
      stop_reason: 'end_turn',
      usage: { ...message.usage, ...usage },
    };
    const parts = anthropicMessagesTranslator.whole(body);
    expect(nativesOf(parts)).toEqual([started, ended('completed', found, ['https://a.example'])]);
  });

  test('that failed is a failed item', () => {
    const parts = read([
      ...block(0, search(), query),
      ...block(1, { ...result(broken), tool_use_id: id }),
    ]);
    expect(nativesOf(parts)).toEqual([started, ended('failed', broken)]);
  });

  test('without a result has failed, unless the answer was cut', () => {
    const unknown = { type: 'web_search_tool_result_error', error_code: 'unavailable' };
    const blocks = block(0, search(), query);
    expect(nativesOf(read(blocks))).toEqual([started, ended('failed', unknown)]);
    expect(nativesOf(read(blocks, 'max_tokens'))).toEqual([started]);
  });

  test('of another tool, and a result of no call, are left out', () => {
    const parts = read([
      ...block(0, search('code_execution'), query),
      ...block(1, { ...result(found), tool_use_id: 'other' }),
    ]);
    expect(nativesOf(parts)).toEqual([]);
  });

  test('fails the answer if there are more than any answer has', () => {
    const open = (index: number) =>
      event('content_block_start', { index, content_block: { ...search(), id: `s${index}` } });
    const parts = read(Array.from({ length: 1_100 }, (_, index) => open(index)));
    expect(parts.at(-1)).toMatchObject({ type: 'error' });
  });
});
