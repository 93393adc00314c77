import type { StreamPart } from '@sluice/inference';
import { expect, test } from 'vitest';
import { readStream } from '../testing/read-stream.ts';
import { anthropicMessagesTranslator } from './anthropic-messages.ts';

const events = (start: object, end: object): readonly object[] => [
  { type: 'message_start', message: { id: 'm', usage: start } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'a' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: end },
  { type: 'message_stop' },
];
const usageOf = (start: object, end: object): unknown => {
  const bytes = events(start, end).map((event) => `data: ${JSON.stringify(event)}\n\n`);
  const parts = readStream(anthropicMessagesTranslator, [Buffer.from(bytes.join(''))]);
  const last = parts.at(-1) as Extract<StreamPart, { type: 'finish' }>;
  return last.usage;
};
const counted = { inputTokens: 10, cachedTokens: 0, outputTokens: 9, reasoningTokens: 0 };

test.each<[string, object, object, object | undefined]>([
  [
    'a beginning and its end',
    { input_tokens: 10, output_tokens: 1 },
    { output_tokens: 9 },
    counted,
  ],
  [
    'an end that says null of what has not changed',
    { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 1 },
    {
      input_tokens: null,
      cache_read_input_tokens: null,
      cache_creation_input_tokens: null,
      output_tokens: 9,
    },
    { ...counted, inputTokens: 15, cachedTokens: 5 },
  ],
  [
    'what was read from and written to the cache is beside the input there, and among it here',
    { input_tokens: 10, cache_read_input_tokens: 5, cache_creation_input_tokens: 7 },
    { output_tokens: 9 },
    { ...counted, inputTokens: 22, cachedTokens: 5, cacheWriteTokens: 7 },
  ],
  [
    'what was written for five minutes and for an hour',
    {
      input_tokens: 10,
      cache_creation_input_tokens: 7,
      cache_creation: { ephemeral_5m_input_tokens: 3, ephemeral_1h_input_tokens: 4 },
    },
    { output_tokens: 9 },
    { ...counted, inputTokens: 17, cacheWriteTokens: 3, cacheWriteHourTokens: 4 },
  ],
  [
    'what was written until the end is more than at the beginning',
    {
      input_tokens: 10,
      cache_creation_input_tokens: 7,
      cache_creation: { ephemeral_5m_input_tokens: 3, ephemeral_1h_input_tokens: 4 },
    },
    { output_tokens: 9, cache_creation_input_tokens: 12 },
    { ...counted, inputTokens: 22, cacheWriteTokens: 8, cacheWriteHourTokens: 4 },
  ],
  [
    'tokens of thoughts are among the output',
    { input_tokens: 10 },
    { output_tokens: 9, output_tokens_details: { thinking_tokens: 6 } },
    { ...counted, reasoningTokens: 6 },
  ],
  [
    'an hour that is more than all is not believed',
    {
      input_tokens: 10,
      cache_creation_input_tokens: 1,
      cache_creation: { ephemeral_1h_input_tokens: 4 },
    },
    { output_tokens: 9 },
    undefined,
  ],
  [
    'more thoughts than output are not believed',
    { input_tokens: 10 },
    { output_tokens: 1, output_tokens_details: { thinking_tokens: 6 } },
    undefined,
  ],
])('%s', (_, start, end, expected) => {
  expect(usageOf(start, end)).toEqual(expected);
});
