import { deepEqual, equal } from 'node:assert/strict';
import type { InferenceRequest, InputItem } from '@sluice/inference';
import { describe, test } from 'vitest';
import { textRequest } from '../../testing/text-request.ts';
import { rewriteTexts, type TextGroup } from './request-texts.ts';

const requestOf = (...items: InputItem[]): InferenceRequest => ({ ...textRequest(''), items });
const shout = ({ texts }: TextGroup) => texts.map((text) => text.toUpperCase());
const groupsOf = (request: InferenceRequest) => {
  const groups: TextGroup[] = [];
  rewriteTexts(request, (group) => {
    groups.push(group);
    return group.texts;
  });
  return groups;
};
const text = (words: string) => ({ type: 'text', text: words }) as const;
const image = {
  type: 'image',
  source: { type: 'url', url: 'https://a/b' },
  detail: 'auto',
} as const;

const items: readonly InputItem[] = [
  { type: 'message', role: 'user', content: [text('a'), image, text('b')] },
  { type: 'message', role: 'system', content: [text('c')] },
  { type: 'function-call', callId: 'x', name: 'f', arguments: '{"d":1}' },
  { type: 'function-call-output', callId: 'x', output: '{"e":1}' },
  { type: 'function-call-output', callId: 'x', output: [text('f')] },
  { type: 'custom-tool-call', callId: 'y', name: 'g', input: 'h' },
  { type: 'custom-tool-call-output', callId: 'y', output: 'i' },
  {
    type: 'reasoning',
    id: 'r',
    summary: ['j'],
    content: ['k'],
    encrypted: 'secret',
    signature: 'signed',
    format: 'openai',
  },
  { type: 'native', item: { type: 'search', id: 'n', query: { words: ['l', 'm'] } }, text: 'n' },
];

describe('the texts of a request', () => {
  test('are all read, with their places', () => {
    const prompt = { id: 'p', version: undefined, variables: { v: 'o', w: text('p'), i: image } };
    const groups = groupsOf({ ...requestOf(...items), prompt });
    deepEqual(
      groups.map(({ texts, form, isUserText, place }) => [texts.join(), form, isUserText, place]),
      [
        ['a,b', 'text', true, 'input.0'],
        ['c', 'text', false, 'input.1'],
        ['{"d":1}', 'json', false, 'input.2'],
        ['{"e":1}', 'json', false, 'input.3'],
        ['f', 'text', false, 'input.4'],
        ['h', 'text', false, 'input.5'],
        ['i', 'text', false, 'input.6'],
        ['j,k', 'text', false, 'input.7'],
        ['n', 'text', false, 'input.8'],
        ['l', 'text', false, 'input.8'],
        ['m', 'text', false, 'input.8'],
        ['o', 'text', true, 'prompt.variables.v'],
        ['p', 'text', true, 'prompt.variables.w'],
      ],
    );
  });

  test('that stay leave the request itself', () => {
    const request = requestOf(...items);
    equal(
      rewriteTexts(request, ({ texts }) => texts),
      request,
    );
  });

  test('are replaced where they stood, and what repeats a changed thought goes', () => {
    const changed = rewriteTexts(requestOf(...items), shout).items;
    deepEqual(changed[0], { ...items[0], content: [text('A'), image, text('B')] });
    deepEqual(changed[2], { ...items[2], arguments: '{"D":1}' });
    deepEqual(changed[6], { ...items[6], output: 'I' });
    deepEqual(changed[7], {
      ...items[7],
      summary: ['J'],
      content: ['K'],
      encrypted: undefined,
      signature: undefined,
    });
    deepEqual(changed[8], {
      type: 'native',
      item: { type: 'search', id: 'n', query: { words: ['L', 'M'] } },
      text: 'N',
    });
  });

  test('include a predicted answer, in either of its forms', () => {
    for (const [content, changed] of [
      ['a', 'A'],
      [[{ type: 'text', text: 'b' }], [{ type: 'text', text: 'B' }]],
    ] as const) {
      const options = { seed: 1, prediction: { type: 'content', content } };
      const rewritten = rewriteTexts({ ...requestOf(), options }, shout);
      deepEqual(rewritten.options, { seed: 1, prediction: { type: 'content', content: changed } });
    }
    const request = { ...requestOf(), options: { seed: 1 } };
    equal(rewriteTexts(request, shout), request);
  });
});
