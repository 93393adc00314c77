import { describe, expect, test } from 'vitest';
import { openAiChatTranslator } from '../openai-chat/openai-chat.ts';
import { eventReader, WholeReader } from './body-reader.ts';

const event = '{"id":"x","choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}';
const mebibyte = Buffer.alloc(1024 * 1024, 'a');

describe('an event stream', () => {
  test('may lack the blank line after its last event', () => {
    const reader = eventReader(openAiChatTranslator.stream());
    reader.push(Buffer.from(`data: ${event}\n\ndata: [DONE]`));
    expect(reader.end().at(-1)).toMatchObject({ type: 'finish' });
  });

  test('may use any line ending', () => {
    for (const line of ['\n', '\r\n', '\r']) {
      const reader = eventReader(openAiChatTranslator.stream());
      const bytes = Buffer.from(`data: ${event}${line}${line}data: [DONE]${line}${line}`);
      expect([...reader.push(bytes), ...reader.end()].at(-1)).toMatchObject({ type: 'finish' });
    }
  });

  test('with an event longer than 16 mebibytes is malformed, once', () => {
    const reader = eventReader(openAiChatTranslator.stream());
    const parts = [
      ...reader.push(Buffer.from('data: ')),
      ...Array.from({ length: 18 }, () => reader.push(mebibyte)).flat(),
      ...reader.end(),
    ];
    expect(parts).toMatchObject([{ type: 'error', code: 'provider_unavailable' }]);
  });

  test('longer than 64 mebibytes is malformed', () => {
    const reader = eventReader(openAiChatTranslator.stream());
    const comment = Buffer.concat([Buffer.from(':'), mebibyte, Buffer.from('\n')]);
    const pushed = Array.from({ length: 64 }, () => reader.push(comment)).flat();
    expect(pushed).toMatchObject([{ type: 'error' }]);
  });
});

describe('a whole body', () => {
  test('longer than 32 mebibytes is malformed', () => {
    const reader = new WholeReader(openAiChatTranslator);
    const pushed = Array.from({ length: 33 }, () => reader.push(mebibyte));
    expect(pushed.slice(0, 32).flat()).toEqual([]);
    expect(pushed[32]).toMatchObject([{ type: 'error' }]);
  });

  test('that is not JSON is malformed', () => {
    const reader = new WholeReader(openAiChatTranslator);
    reader.push(Buffer.from('<html>'));
    expect(reader.end()).toMatchObject([{ type: 'error', code: 'provider_unavailable' }]);
  });
});
