import type { StreamPart } from '@sluice/inference';
import { describe, expect, test } from 'vitest';
import { readStream } from '../testing/read-stream.ts';
import { googleGeminiTranslator } from './google-gemini.ts';

const event = (parts: string, more = ''): string =>
  `data: {"responseId":"r","candidates":[{"content":{"parts":[${parts}]}${more}}]}\n\n`;
const call = (fields: string): string => `{"functionCall":{${fields}}}`;
const parts = (...events: readonly string[]): readonly StreamPart[] =>
  readStream(
    googleGeminiTranslator,
    events.map((each) => Buffer.from(each)),
  );
const stop = event('', ',"finishReason":"STOP"');
const pieces = (...args: readonly string[]): string =>
  call(`"partialArgs":[${args.join()}],"willContinue":true`);
const told = (read: readonly StreamPart[]) =>
  read.flatMap((part) => (part.type === 'tool-call-delta' ? [part.delta] : []));

describe('a call whose arguments arrive in pieces', () => {
  test('has them as one object, with texts joined and numbers as they are', () => {
    const read = parts(
      event(call('"name":"f","id":"a","willContinue":true')),
      event(pieces('{"jsonPath":"$.city","stringValue":"Pa","willContinue":true}')),
      event(pieces('{"jsonPath":"$.city","stringValue":"ris","willContinue":false}')),
      event(
        pieces(
          '{"jsonPath":"$.rooms[0].id","numberValue":1234567890123456789}',
          '{"jsonPath":"$.rooms[0][\'a b\']","boolValue":true}',
          '{"jsonPath":"$.rooms[1]","nullValue":null}',
          '{"jsonPath":"$.__proto__","stringValue":"x"}',
        ),
      ),
      event(call('')),
      event('{"text":"done"}'),
      stop,
    );
    expect(told(read)).toEqual([
      '{"city":"Paris","rooms":[{"id":1234567890123456789,"a b":true},null],"__proto__":"x"}',
    ]);
    expect(read.map(({ type }) => type)).toEqual([
      'response-start',
      'tool-call-start',
      'tool-call-delta',
      'tool-call-end',
      'text-start',
      'text-delta',
      'text-end',
      'finish',
    ]);
  });

  test('ends with the answer, unless a limit cut it', () => {
    const begun = event(call('"name":"f","willContinue":true'));
    const piece = event(pieces('{"jsonPath":"$.a","numberValue":1}'));
    const ended = parts(begun, piece, stop);
    expect(told(ended)).toEqual(['{"a":1}']);
    expect(ended.map(({ type }) => type)).toContain('tool-call-end');
    const cut = parts(begun, piece, event('', ',"finishReason":"MAX_TOKENS"'));
    expect(cut.map(({ type }) => type)).not.toContain('tool-call-end');
  });

  test.each([
    ['names no place', '{"jsonPath":"city","stringValue":"a"}'],
    ['names the whole', '{"jsonPath":"$","stringValue":"a"}'],
    ['has no value', '{"jsonPath":"$.city"}'],
    ['leaves a gap in a list', '{"jsonPath":"$.list[999999999]","numberValue":1}'],
    ['is in a text', '{"jsonPath":"$.a","stringValue":"b"},{"jsonPath":"$.a.b","boolValue":true}'],
    [
      'is a name in a list',
      '{"jsonPath":"$.a[0]","boolValue":true},{"jsonPath":"$.a.b","boolValue":true}',
    ],
    ['lies too deep', `{"jsonPath":"$${'.a'.repeat(65)}","boolValue":true}`],
  ])('fails the answer if a piece %s', (_, piece) => {
    const read = parts(event(call('"name":"f","willContinue":true')), event(pieces(piece)), stop);
    expect(read.at(-1)).toMatchObject({ type: 'error', code: 'provider_unavailable' });
  });
});

test('a call without a name fails the answer', () => {
  expect(parts(event(call('"args":{}')), stop).at(-1)).toMatchObject({ type: 'error' });
});

test('only the candidate with the index 0 is read', () => {
  const other =
    'data: {"candidates":[{"index":1,"content":{"parts":[{"text":"x"}]},"finishReason":"STOP"}]}\n\n';
  const read = parts(event('{"text":"a"}'), other, event('{"text":"b"}', ',"finishReason":"STOP"'));
  expect(read.flatMap((part) => ('delta' in part ? [part.delta] : []))).toEqual(['a', 'b']);
});
