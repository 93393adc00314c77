import type { AnswerPart, InputItem } from '@sluice/inference';
import { describe, expect, test } from 'vitest';
import { AnswerItems } from './answer-items.ts';

function folded(...parts: readonly AnswerPart[]): readonly InputItem[] {
  const answer = new AnswerItems();
  for (const part of parts) answer.add(part);
  return answer.items();
}

const said = (text: string, more: object = {}) => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'text', text }],
  ...more,
});
const thought = (fields: object) => ({
  type: 'reasoning',
  id: 'rs_0',
  summary: [],
  content: [],
  encrypted: undefined,
  signature: undefined,
  format: undefined,
  ...fields,
});
const part = 0;
const callStart: AnswerPart = { type: 'tool-call-start', part, callId: 'c', name: 'f' };
const callEnd: AnswerPart = { type: 'tool-call-end', part };
const thoughtStart: AnswerPart = { type: 'reasoning-start', part, format: 'f' };
const native = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { query: 'q' } };
const nativeItem = {
  type: 'native',
  item: native,
  text: '[web_search_call] {"action":{"query":"q"}}',
};
const picture = (mediaType: string) => ({
  type: 'native',
  item: { type: 'image_generation_call', id: 'ig_0', status: 'completed', result: 'aGk=' },
  text: '',
  picture: {
    type: 'image',
    source: { type: 'data', mediaType, base64: 'aGk=' },
    detail: 'auto',
  },
});

describe('the items of an answer', () => {
  test.each<[string, readonly AnswerPart[], readonly object[]]>([
    ['nothing', [], []],
    [
      'a text with its phase',
      [
        { type: 'text-start', part, phase: 'commentary' },
        { type: 'text-delta', part, delta: 'a' },
        { type: 'text-delta', part, delta: 'b' },
        { type: 'text-annotation', part, annotation: { type: 'url_citation' } },
        { type: 'text-end', part },
      ],
      [said('ab', { phase: 'commentary' })],
    ],
    [
      'a text that says nothing',
      [
        { type: 'text-start', part },
        { type: 'text-end', part },
      ],
      [],
    ],
    [
      'a text that was cut',
      [
        { type: 'text-start', part },
        { type: 'text-delta', part, delta: 'a' },
      ],
      [said('a')],
    ],
    [
      'a refusal',
      [
        { type: 'refusal-start', part },
        { type: 'refusal-delta', part, delta: 'no' },
        { type: 'refusal-end', part },
      ],
      [said('no')],
    ],
    [
      'a thought with its text, its summaries and what its maker wants back',
      [
        thoughtStart,
        { type: 'reasoning-delta', part, delta: 'hm' },
        { type: 'reasoning-summary-delta', part, summary: 0, delta: 'o' },
        { type: 'reasoning-summary-delta', part, summary: 0, delta: 'ne' },
        { type: 'reasoning-summary-delta', part, summary: 1, delta: 'two' },
        { type: 'reasoning-end', part, replay: { signature: 's', encrypted: 'e', format: 'g' } },
      ],
      [
        thought({
          content: ['hm'],
          summary: ['one', 'two'],
          signature: 's',
          encrypted: 'e',
          format: 'g',
        }),
      ],
    ],
    [
      'a thought that only its maker can read',
      [thoughtStart, { type: 'reasoning-end', part, replay: { encrypted: 'e', format: 'g' } }],
      [thought({ encrypted: 'e', format: 'g' })],
    ],
    ['a thought that says nothing', [thoughtStart, { type: 'reasoning-end', part }], []],
    [
      'a thought that was cut',
      [thoughtStart, { type: 'reasoning-delta', part, delta: 'hm' }],
      [thought({ content: ['hm'] })],
    ],
    [
      'a call',
      [callStart, { type: 'tool-call-delta', part, delta: '{"a":1}' }, callEnd],
      [{ type: 'function-call', callId: 'c', name: 'f', arguments: '{"a":1}' }],
    ],
    [
      'a call of a tool with free text, in a namespace',
      [
        { ...callStart, isCustom: true, namespace: 'n', isAsync: true },
        { type: 'tool-call-delta', part, delta: 'text' },
        callEnd,
      ],
      [{ type: 'custom-tool-call', callId: 'c', name: 'f', namespace: 'n', input: 'text' }],
    ],
    ['a call that was cut', [callStart, { type: 'tool-call-delta', part, delta: '{"a' }], []],
    [
      'an item of a tool of the upstream, as it was when it was done',
      [
        { type: 'native-start', part, item: { type: 'web_search_call', status: 'in_progress' } },
        { type: 'native-end', part, item: { ...native, type: 'service:bash' } },
      ],
      [nativeItem],
    ],
    [
      'an item of a tool of the upstream that was cut',
      [{ type: 'native-start', part, item: native }],
      [],
    ],
    ['a picture', [{ type: 'image', part, base64: 'aGk=' }], [picture('image/png')]],
    [
      'a picture of another kind',
      [{ type: 'image', part, base64: 'aGk=', mediaType: 'image/webp' }],
      [picture('image/webp')],
    ],
    [
      'parts that are no part of the answer',
      [
        { type: 'response-start', upstreamId: 'x' },
        { type: 'unread-usage', raw: '{}' },
        { type: 'embeddings', vectors: [[1]] },
      ],
      [],
    ],
  ])('are %s', (_what, parts, items) => {
    expect(folded(...parts)).toEqual(items);
  });

  test('have corrected texts', () => {
    const contrary = { type: 'correction', part, difference: 'contrary' } as const;
    const wrong: AnswerPart = { type: 'reasoning-delta', part, delta: 'wrong' };
    expect(
      folded(
        thoughtStart,
        wrong,
        { type: 'reasoning-summary-delta', part, summary: 0, delta: 'wrong' },
        { ...contrary, text: 'right' },
        { ...contrary, text: 'good', summary: 0 },
        { ...contrary, text: 'none', summary: 1 },
        { type: 'correction', part, difference: 'late' },
      ),
    ).toEqual([thought({ content: ['right'], summary: ['good'] })]);
    const called = { type: 'tool-call-delta', part, delta: '{"wrong":1}' } as const;
    expect(folded(callStart, called, { ...contrary, text: '{}' }, callEnd)).toMatchObject([
      { arguments: '{}' },
    ]);
  });

  test('stand in the order in which their parts began', () => {
    const items = folded(
      { type: 'tool-call-start', part: 3, callId: 'c', name: 'f' },
      { type: 'text-start', part: 4 },
      { type: 'text-delta', part: 4, delta: 'a' },
      { type: 'tool-call-delta', part: 3, delta: '{}' },
      { type: 'text-end', part: 4 },
      { type: 'tool-call-end', part: 3 },
    );
    expect(items.map(({ type }) => type)).toEqual(['function-call', 'message']);
  });
});
