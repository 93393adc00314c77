import { deepEqual, ok } from 'node:assert/strict';
import { isRejection } from '@sluice/errors';
import { wireBody } from '@sluice/providers';
import { translators } from '@sluice/providers/testing';
import { describe, test } from 'vitest';
import { writeStream, writeWhole } from '../testing/write-answer.ts';
import { EventWriter } from './event-writer.ts';
import { MessageWriter } from './message-writer.ts';
import { parseMessagesRequest } from './parse-request.ts';

// A client of this format and a provider of the same one: what the provider said reaches the client in the same words,
// and comes back to the provider with the next request.

const head = {
  name: '1',
  model: 'm',
  createdAt: 1_760_000_000,
  inputTokens: 7,
  dropsThinking: false,
};
const translator = translators['anthropic-messages'];
const endpoint = {
  provider: 'anthropic',
  dialect: 'anthropic-messages',
  baseUrl: 'https://p.example',
  apiKey: undefined,
  upstreamModel: 'claude-opus-4-6',
} as const;

type Block = Readonly<Record<string, unknown>>;
interface Message {
  readonly content: readonly Block[];
  readonly stop_reason: string | null;
  readonly stop_details: unknown;
}

const usage = { input_tokens: 9, output_tokens: 9 };

/** An answer of the provider. */
const answerOf = (content: readonly Block[], fields: object = {}) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content,
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage,
  ...fields,
});

/** Returns the message that a client gets whole. */
function wholeOf(content: readonly Block[], fields?: object): Message {
  const parts = translator.whole(answerOf(content, fields));
  return JSON.parse(writeWhole(new MessageWriter(head), parts)) as Message;
}

/** Returns the events that a client gets. */
function eventsOf(content: readonly Block[], fields?: object): readonly Block[] {
  const parts = translator.whole(answerOf(content, fields));
  const frames = writeStream(new EventWriter(head), parts, 1).split('\n\n').filter(Boolean);
  return frames.map((frame) => JSON.parse(frame.slice(frame.indexOf('{'))) as Block);
}

/** Returns what the provider gets of this answer, when the client sends it with the next request. */
function sentBack(content: readonly unknown[], fields: object = {}): readonly unknown[] {
  const results = (content as readonly Block[]).flatMap(({ type, id }) =>
    type === 'tool_use' ? [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] : [],
  );
  const user = results.length > 0 ? results : 'and?';
  const messages = [
    { role: 'user', content: 'hello' },
    { role: 'assistant', content },
    { role: 'user', content: user },
  ];
  const body = JSON.stringify({ model: 'm', max_tokens: 9, messages, ...fields });
  const call = parseMessagesRequest(Buffer.from(body));
  ok(!isRejection(call), JSON.stringify(call));
  const sent = wireBody(endpoint, call.inference) as {
    readonly messages: readonly { readonly content: readonly unknown[] }[];
  };
  return sent.messages[1]?.content ?? [];
}

describe('a thought whose text is not shown', () => {
  const thought = { type: 'thinking', thinking: '', signature: 'sig' };
  const call = { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} };

  test('keeps its signature, whole and streamed, and on its way back', () => {
    const { content } = wholeOf([thought, call]);
    deepEqual(content, [thought, call]);
    deepEqual(sentBack(content), [thought, call]);
    const [, ...events] = eventsOf([thought, call]);
    const delta = { type: 'signature_delta', signature: 'sig' };
    deepEqual(events.slice(0, 3), [
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'thinking', thinking: '', signature: '' },
      },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
    ]);
  });

  test('is no block if it has no signature either', () => {
    deepEqual(wholeOf([{ ...thought, signature: '' }, call]).content, [call]);
  });
});

describe('a citation', () => {
  const place = { document_index: 0, document_title: 'd', file_id: null };
  const [start_block_index, end_block_index] = [0, 1];
  const citations = [
    { type: 'char_location', cited_text: 'a', ...place, start_char_index: 0, end_char_index: 1 },
    { type: 'page_location', cited_text: 'a', ...place, start_page_number: 1, end_page_number: 2 },
    {
      type: 'content_block_location',
      cited_text: 'a',
      ...place,
      start_block_index,
      end_block_index,
    },
    {
      type: 'search_result_location',
      cited_text: 'a',
      search_result_index: 0,
      source: 's',
      title: 't',
      start_block_index,
      end_block_index,
    },
    {
      type: 'web_search_result_location',
      cited_text: 'a',
      encrypted_index: 'e',
      title: 't',
      url: 'https://a.example',
    },
  ];
  const said = { type: 'text', text: 'B is.', citations };

  test('keeps its kind and its place, whole and streamed', () => {
    deepEqual(wholeOf([said]).content, [said]);
    const told = eventsOf([said]).flatMap(({ delta }) => {
      const { type, citation } = (delta ?? {}) as Block;
      return type === 'citations_delta' ? [citation] : [];
    });
    deepEqual(told, citations);
  });
});

describe('a refusal', () => {
  const refusal = { type: 'refusal', category: 'cyber', explanation: 'no' };
  const said = [{ type: 'text', text: 'I' }];
  const detailsOf = (fields: object) => {
    const events = eventsOf(said, fields);
    const start = events[0]?.['message'] as Message;
    deepEqual(start.stop_details, null);
    const end = events.at(-2)?.['delta'] as Message;
    deepEqual(end.stop_details, wholeOf(said, fields).stop_details);
    return end.stop_details;
  };

  test.each<[object, unknown]>([
    [{ stop_reason: 'refusal', stop_details: refusal }, refusal],
    [
      { stop_reason: 'refusal', stop_details: { type: 'refusal', category: 7 } },
      { type: 'refusal', category: null, explanation: null },
    ],
    [{ stop_reason: 'refusal', stop_details: null }, null],
    [{ stop_reason: 'end_turn', stop_details: { type: 'other' } }, null],
  ])('says what the provider says of it: %j', (fields, meant) => {
    deepEqual(detailsOf(fields), meant);
  });
});
