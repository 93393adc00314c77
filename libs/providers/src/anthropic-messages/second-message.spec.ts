import type { StreamPart } from '@sluice/inference';
import { describe, expect, test } from 'vitest';
import { readStream } from '../testing/read-stream.ts';
import { anthropicMessagesTranslator } from './anthropic-messages.ts';

const parts = (...events: readonly object[]): readonly StreamPart[] =>
  readStream(anthropicMessagesTranslator, [
    Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')),
  ]);
const start = (id: string, input_tokens: number) => ({
  type: 'message_start',
  message: { id, usage: { input_tokens, output_tokens: 1 } },
});
const call = [
  {
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'tool_use', id: 't', name: 'f', input: {} },
  },
  {
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'input_json_delta', partial_json: '{"a":' },
  },
];
const end = [
  {
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'input_json_delta', partial_json: '1}' },
  },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } },
  { type: 'message_stop' },
];

describe('a second message in one stream', () => {
  test('replaces a first one that said nothing', () => {
    const read = parts(start('a', 7), start('b', 8), ...call, ...end);
    expect(read.filter(({ type }) => type === 'tool-call-end')).toHaveLength(1);
    expect(read.at(-1)).toMatchObject({
      type: 'finish',
      reason: 'tool-calls',
      usage: { inputTokens: 8, outputTokens: 9 },
    });
  });

  test('fails an answer that has begun, so that no call of it completes', () => {
    const read = parts(start('a', 7), ...call, start('b', 8), ...call, ...end);
    expect(read.at(-1)).toMatchObject({ type: 'error', code: 'provider_unavailable' });
    expect(read.some(({ type }) => type === 'tool-call-end')).toBe(false);
  });
});
