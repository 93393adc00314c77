import { expect, test } from 'vitest';
import fc from 'fast-check';
import {
  hasLongNumber,
  isNumberText,
  jsonPlace,
  keepExactNumbers,
  parseExactJson,
  plainNumber,
} from './exact-json.ts';

test.each([
  '[1234567890123456789]',
  '[-9223372036854775808,18446744073709551615]',
  '[-0]',
  '[-0.0,-0e5]',
  '[1e400,-1E400,1e-400]',
  '[1e2,1.5e3]',
  '[0.1000000000000000055511151231257827]',
  '[1000000000000000000000]',
  '{"__proto__":{"a":12345678901234567890}}',
  '12345678901234567890',
])('a number that JavaScript would write in other words stays as it is: %s', (text) => {
  expect(hasLongNumber(text)).toBe(true);
  expect(JSON.stringify(parseExactJson(text))).toBe(text);
});

test.each([
  '{"a":1,"b":[0.25,-3,123456789012345],"c":"1234567890123456789","d":true,"e":null}',
  '["-0","1e400","\\"-0",false]',
])('a text without such numbers is parsed as ever: %s', (text) => {
  expect(hasLongNumber(text)).toBe(false);
  expect(parseExactJson(text)).toEqual(JSON.parse(text));
});

test('the last of equal names counts, and what is no JSON throws', () => {
  const twice = '{"a":12345678901234567890,"a":[98765432109876543210]}';
  expect(JSON.stringify(parseExactJson(twice))).toBe('{"a":[98765432109876543210]}');
  expect(() => parseExactJson('[12345678901234567890')).toThrow(SyntaxError);
});

test('every value stays the same, however its numbers are written', () => {
  const number = fc.oneof(
    fc.bigInt().map(String),
    fc.double({ noDefaultInfinity: true, noNaN: true }).map((value) => JSON.stringify(value)),
    fc.tuple(fc.bigInt({ min: 0n }), fc.integer()).map(([a, e]) => `${String(a)}e${String(e)}`),
    fc.tuple(fc.bigInt(), fc.bigInt({ min: 0n })).map(([a, b]) => `${String(a)}.${String(b)}`),
  );
  fc.assert(
    fc.property(fc.array(number, { minLength: 1 }), fc.string(), (numbers, text) => {
      const written = `{"a":[${numbers.join()}],"b":${JSON.stringify(text)}}`;
      const again = JSON.stringify(parseExactJson(written));
      const plain: unknown = JSON.parse(written);
      expect(JSON.parse(again)).toEqual(plain);
      const digits = (each: string) => /^-?\d{16,}$/.test(each);
      for (const each of numbers.filter(digits)) expect(again).toContain(each);
    }),
  );
});

test('only the numbers at the places are kept, and the others stay numbers', () => {
  const text =
    '{"max":12345678901234567890,"tools":[{"schema":{"const":12345678901234567890}},{"n":1}]}';
  const value = JSON.parse(text) as { readonly max: unknown };
  keepExactNumbers(value, text, [jsonPlace('tools[].schema'), jsonPlace('absent.place')]);
  expect(typeof value.max).toBe('number');
  expect(JSON.stringify(value)).toContain('"schema":{"const":12345678901234567890}');
});

test('a number that is kept as its text can be read as one', () => {
  const [kept] = parseExactJson('[12345678901234567890]') as [unknown];
  expect([isNumberText(kept), plainNumber(kept)]).toEqual([true, Number('12345678901234567890')]);
  expect([isNumberText({}), plainNumber('a')]).toEqual([false, 'a']);
});
