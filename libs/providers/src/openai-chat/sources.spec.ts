import type { StreamPart } from '@sluice/inference';
import { describe, expect, test } from 'vitest';
import { readStream } from '../testing/read-stream.ts';
import { openAiChatTranslator } from './openai-chat.ts';

const citations = ['https://a.example', 'https://b.example'];
const results = [
  { title: 'B', url: 'https://b.example', date: '2026-01-01' },
  { title: 'C', url: 'https://c.example' },
];
const cited = (end: number, url: string, title: string) => ({
  type: 'text-annotation',
  part: 0,
  annotation: { type: 'url_citation', url, title, start_index: 0, end_index: end },
});
const expected = [
  cited(6, 'https://a.example', ''),
  cited(6, 'https://b.example', 'B'),
  cited(6, 'https://c.example', 'C'),
];
const streamed = (...chunks: readonly object[]): readonly StreamPart[] =>
  readStream(openAiChatTranslator, [
    Buffer.from(chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')),
    Buffer.from('data: [DONE]\n\n'),
  ]);
const annotations = (parts: readonly StreamPart[]) =>
  parts.filter(({ type }) => type === 'text-annotation');
const sources = { citations, search_results: results };
const chunk = (content: string, more: object = {}, finish_reason: string | null = null) => ({
  choices: [{ delta: { content }, finish_reason }],
  ...more,
});

describe('sources beside the choices', () => {
  test.each([
    ['in every chunk', chunk('one', sources), chunk('[1]', sources, 'stop')],
    ['in the first chunk', chunk('one', sources), chunk('[1]', {}, 'stop')],
    ['in the last chunk', chunk('one'), chunk('[1]', sources, 'stop')],
    ['of an answer that a limit cut', chunk('one', sources), chunk('[1]', {}, 'length')],
  ])('%s become annotations of the text, once', (_, ...chunks) => {
    expect(annotations(streamed(...chunks))).toEqual(expected);
  });

  test('of a whole answer become annotations', () => {
    const choices = [{ message: { content: 'one[1]' }, finish_reason: 'stop' }];
    expect(annotations(openAiChatTranslator.whole({ choices, ...sources }))).toEqual(expected);
  });

  test('that are malformed are left out', () => {
    const odd = { citations: [1, null, ''], search_results: [{}, 'x', { url: 7 }] };
    expect(annotations(streamed(chunk('one', odd, 'stop')))).toEqual([]);
  });

  test('of a message keep their places', () => {
    const page = { url: 'https://a.example', title: 'A' };
    const annotation = (start_index: unknown, end_index: unknown) => ({
      type: 'url_citation',
      url_citation: { ...page, start_index, end_index },
    });
    const first = [annotation(0, 2), annotation(4, 6)];
    const again = [annotation(4, 6), annotation(6, 4), { type: 'url_citation' }, null];
    const delta = (annotations: unknown, content = 'one') => ({
      choices: [{ delta: { content, annotations }, finish_reason: null }],
    });
    const places = [
      [0, 2],
      [4, 6],
      [0, 6],
    ];
    const marks = places.map(([start_index, end_index]) => ({
      type: 'text-annotation',
      part: 0,
      annotation: { type: 'url_citation', ...page, start_index, end_index },
    }));
    const parts = streamed(delta(first), delta(again), chunk('', {}, 'stop'));
    expect(annotations(parts)).toEqual(marks);
    const message = { content: 'oneone', annotations: [...first, ...again] };
    const whole = { choices: [{ message, finish_reason: 'stop' }] };
    expect(annotations(openAiChatTranslator.whole(whole))).toEqual(marks);
  });
});
