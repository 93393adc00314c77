import { deepEqual, equal } from 'node:assert/strict';
import type { FileContent, InferenceRequest, InputItem } from '@sluice/inference';
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

  const fileOf = (bytes: Buffer | string, mediaType: string, filename?: string): FileContent => ({
    type: 'file',
    source: { type: 'data', mediaType, base64: Buffer.from(bytes).toString('base64') },
    filename,
  });
  const utf16 = Buffer.from('\ufeffcafé', 'utf16le');

  test.each([
    ['text/plain', 'my café', 'MY CAFÉ'],
    ['text/csv', 'a,\0b', 'A,\0B'],
    ['application/json', '{"a":1}', '{"A":1}'],
    ['application/vnd.api+json', '{"a":1}', '{"A":1}'],
    ['application/octet-stream', 'key: value', 'KEY: VALUE'],
    ['application/pdf', 'no pdf at all', 'NO PDF AT ALL'],
    ['application/octet-stream', utf16, 'CAFÉ'],
    ['text/plain', Buffer.from([0x61, 0xff, 0x62]), 'A\ufffdB'],
  ])('include files that are texts: %s', (mediaType, bytes, wanted) => {
    const file = fileOf(bytes, mediaType);
    const requests = [
      requestOf({ type: 'message', role: 'user', content: [text('x'), file, text('y')] }),
      requestOf({
        type: 'function-call-output',
        callId: 'c',
        output: [text('x'), file, text('y')],
      }),
    ];
    const changed = [text('X'), fileOf(wanted, mediaType), text('Y')];
    deepEqual(
      requests.map((request) => rewriteTexts(request, shout).items),
      [
        [{ type: 'message', role: 'user', content: changed }],
        [{ type: 'function-call-output', callId: 'c', output: changed }],
      ],
    );
    const prompt = { id: 'p', version: undefined, variables: { v: file } };
    const rewritten = rewriteTexts({ ...requestOf(), prompt }, shout).prompt;
    deepEqual(rewritten?.variables, { v: fileOf(wanted, mediaType) });
  });

  test.each([
    ['application/pdf', Buffer.from('%PDF-1.7 all of it text')],
    ['application/zip', Buffer.from('PK\x03\x04\0\0 text')],
    ['application/octet-stream', Buffer.from([0x80, 0x81, 0x82, 0x83, 0xfe])],
    ['application/octet-stream', Buffer.alloc(0)],
  ])('do not include files of bytes: %s', (mediaType, bytes) => {
    const file = fileOf(bytes, mediaType);
    const request = requestOf({ type: 'message', role: 'user', content: [file] });
    equal(rewriteTexts(request, shout), request);
  });

  test('include names of files, which keep their endings', () => {
    const source = { type: 'url', url: 'https://a/b' } as const;
    const file = { type: 'file', source, filename: 'bob@example.com.pdf' } as const;
    const request = requestOf({ type: 'message', role: 'user', content: [file] });
    const [item] = rewriteTexts(request, () => ['[EMAIL]']).items;
    deepEqual(item, {
      type: 'message',
      role: 'user',
      content: [{ ...file, filename: '[EMAIL].pdf' }],
    });
  });
});
