import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import type { InputItem } from '@sluice/inference';
import { contentBytesMax, contentsOf, decodeContents, encodeContents } from './index.ts';

const user = (text: string): InputItem => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'text', text }],
});
const answer: readonly InputItem[] = [
  { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'It rains.' }] },
];
const said = (items: readonly InputItem[]) =>
  contentsOf({ items, tools: [], answer, finishReason: 'stop' });

describe('the contents of a generation', () => {
  test('have the messages, the calls and the answer in the words of the conventions', () => {
    const contents = contentsOf({
      items: [
        { type: 'message', role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
        user('How is the weather?'),
        { type: 'function-call', callId: 'c1', name: 'weather', arguments: '{"city":"Bonn"}' },
        { type: 'function-call-output', callId: 'c1', output: 'rain' },
      ],
      tools: [
        {
          type: 'function',
          name: 'weather',
          description: 'Tells the weather',
          parameters: { type: 'object' },
          strict: undefined,
        },
      ],
      answer,
      finishReason: 'stop',
    });
    deepEqual(contents, {
      system: [{ type: 'text', content: 'Be brief.' }],
      input: [
        { role: 'user', parts: [{ type: 'text', content: 'How is the weather?' }] },
        {
          role: 'assistant',
          parts: [{ type: 'tool_call', id: 'c1', name: 'weather', arguments: '{"city":"Bonn"}' }],
        },
        { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'rain' }] },
      ],
      output: [
        {
          role: 'assistant',
          parts: [{ type: 'text', content: 'It rains.' }],
          finish_reason: 'stop',
        },
      ],
      tools: [
        {
          type: 'function',
          name: 'weather',
          description: 'Tells the weather',
          parameters: { type: 'object' },
        },
      ],
      isCut: false,
    });
    deepEqual(decodeContents(encodeContents(contents)), contents);
  });

  test('have no bytes of media, only their kind, and URLs', () => {
    const picture = 'AAAA'.repeat(1_000);
    const { input } = said([
      {
        type: 'message',
        role: 'user',
        content: [
          {
            type: 'image',
            detail: 'auto',
            source: { type: 'data', mediaType: 'image/png', base64: picture },
          },
          {
            type: 'image',
            detail: 'auto',
            source: { type: 'url', url: 'https://a.example/b.png' },
          },
          {
            type: 'image',
            detail: 'auto',
            source: { type: 'url', url: `data:image/png;base64,${picture}` },
          },
          { type: 'audio', data: picture, format: 'wav' },
        ],
      },
    ]);
    deepEqual(input[0]?.parts, [
      { type: 'omitted_media', modality: 'image', mime_type: 'image/png' },
      { type: 'uri', modality: 'image', uri: 'https://a.example/b.png' },
      { type: 'omitted_media', modality: 'image' },
      { type: 'omitted_media', modality: 'audio', mime_type: 'audio/wav' },
    ]);
  });

  test('are cut where they are too long: the answer and the newest messages stay', () => {
    const contents = said([user('a'.repeat(90_000)), user('b'.repeat(90_000)), user('newest')]);
    ok(contents.isCut);
    const texts = contents.input.map(({ parts: [part] }) =>
      part && 'content' in part ? part.content : '',
    );
    equal(texts[2], 'newest');
    equal(texts[1], 'b'.repeat(90_000));
    ok(texts[0]?.endsWith('characters left out]'), texts[0]?.slice(-60));
    deepEqual(contents.output[0]?.parts, [{ type: 'text', content: 'It rains.' }]);
  });

  test('never have more bytes than is allowed, whatever they are made of', () => {
    const contents = said([user('\u0001'.repeat(98_000)), user('"'.repeat(98_000))]);
    const bytes = encodeContents(contents);
    ok(bytes.length <= contentBytesMax, String(bytes.length));
    ok(decodeContents(bytes)?.isCut);
  });
});

test('other bytes are no contents', () => {
  for (const text of ['', '{}', '{"v":2}', 'null', '{"v":1,"system":[]}'])
    equal(decodeContents(Buffer.from(text)), undefined, text);
});
