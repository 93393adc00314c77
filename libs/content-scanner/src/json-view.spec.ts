import { deepEqual, equal } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { jsonView } from './json-view.ts';

const redacted = (json: string, word: string, placeholder = '[X]') => {
  const { view, redact } = jsonView(json);
  const start = view.indexOf(word);
  return redact([{ start, end: start + word.length, placeholder }]);
};

describe('JSON text', () => {
  test('is viewed with its strings decoded', () =>
    equal(jsonView(String.raw`{"a\u0040b":"c\nd", "e": 1.50}`).view, '{"a@b":"c\nd", "e": 1.50}'));

  test('stays as it is written without redactions', () =>
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (json) => {
        equal(jsonView(json).redact([]), json);
      }),
    ));

  test.each([
    ['a string', String.raw`{"to":"bob\u0040x.io"}`, 'bob@x.io', '{"to":"[X]"}'],
    ['a part of one', String.raw`["\"hi\" bob@x.io"]`, 'bob@x.io', String.raw`["\"hi\" [X]"]`],
    ['a key', '{"bob@x.io":1}', 'bob@x.io', '{"[X]":1}'],
    ['a number', '{"card":4111, "n":1.0}', '4111', '{"card":"[X]", "n":1.0}'],
    ['an end that is cut', '{"to":"bob@x.io', 'bob@x.io', '{"to":"[X]'],
    ['a text that only begins like JSON', '[INFO] bob@x.io is in', 'bob@x.io', '[INFO] [X] is in'],
    ['a part of a number', '[1, 4111]', '11', '[1, "[X]"]'],
  ])('has %s redacted', (_what, json, word, wanted) => equal(redacted(json, word), wanted));

  test('is JSON after any redaction', () =>
    fc.assert(
      fc.property(fc.json(), fc.array(fc.nat()), (json, places) => {
        const { view, redact } = jsonView(json);
        const ends = [...new Set(places.map((place) => place % (view.length + 1)))];
        const sorted = ends.toSorted((one, other) => one - other);
        const redactions = sorted.flatMap((start, index) => {
          const end = sorted[index + 1];
          return end === undefined || index % 2 === 1 ? [] : [{ start, end, placeholder: '"]' }];
        });
        JSON.parse(redact(redactions));
      }),
    ));

  test('has what is between strings left, where a redaction crosses it', () => {
    const { view, redact } = jsonView('["a","b"]');
    const start = view.indexOf('a');
    deepEqual(JSON.parse(redact([{ start, end: view.indexOf('b') + 1, placeholder: '-' }])), [
      '-',
      '',
    ]);
  });
});
