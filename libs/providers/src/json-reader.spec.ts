import { expect, test } from 'vitest';
import { parseJson } from './json-reader.ts';

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

test('a text that is not JSON gives undefined', () => {
  expect(parseJson('{')).toBeUndefined();
  expect(parseJson('')).toBeUndefined();
});

test('a value that is nested too deep gives undefined', () => {
  expect(parseJson(nested(500))).toBeDefined();
  expect(parseJson(nested(501))).toBeUndefined();
  expect(parseJson(nested(200_000))).toBeUndefined();
  expect(parseJson(`{"a":${nested(5_000)}}`)).toBeUndefined();
});

test('brackets inside a string do not count as nesting', () => {
  const texts = ['['.repeat(2_000), '\\"['.repeat(2_000), '\\\\', '"'];
  for (const text of texts) {
    const json = JSON.stringify({ padding: 'x'.repeat(2_000), text, after: [1] });
    expect(parseJson(json)).toEqual(JSON.parse(json));
  }
});
