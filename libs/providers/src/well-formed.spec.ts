import { expect, test } from 'vitest';
import fc from 'fast-check';
import { wellFormedJson, withoutHalfEscapes } from './well-formed.ts';

test.each([
  ['\ud83d', '\ufffd'],
  ['a\ude00b', 'a\ufffdb'],
  ['\ud83d\ud83d\ude00', '\ufffd😀'],
  ['a backslash and ud83d: \\ud83d', 'a backslash and ud83d: \\ud83d'],
  ['\\\ud83d', '\\\ufffd'],
  ['\\\\ud83d"\n', '\\\\ud83d"\n'],
])('half a character becomes U+FFFD in a body: %j', (text, expected) => {
  expect(JSON.parse(wellFormedJson({ [text]: [text] }))).toEqual({ [expected]: [expected] });
});

test('a body is what JSON makes of its well-formed texts', () => {
  const unit = fc.oneof(
    fc.constantFrom('\\', 'u', 'd8', '00', '"'),
    fc.integer({ min: 0xd7f0, max: 0xe010 }).map((code) => String.fromCharCode(code)),
  );
  fc.assert(
    fc.property(fc.array(unit), (units) => {
      const text = units.join('');
      expect(JSON.parse(wellFormedJson([text]))).toEqual([text.toWellFormed()]);
      const once = withoutHalfEscapes(JSON.stringify([text]));
      expect(JSON.parse(once)).toEqual([text.toWellFormed()]);
    }),
  );
});

test.each([
  [String.raw`{"a":"\ud83d"}`, String.raw`{"a":"\ufffd"}`],
  [String.raw`{"a":"\uDE00\uD83D\uDE00"}`, String.raw`{"a":"\ufffd\uD83D\uDE00"}`],
  [String.raw`{"a":"\\ud83d\u0041\n"}`, String.raw`{"a":"\\ud83d\u0041\n"}`],
])(
  'escapes of half characters leave a JSON text, and those of pairs stay: %s',
  (json, expected) => {
    expect(withoutHalfEscapes(json)).toBe(expected);
  },
);
