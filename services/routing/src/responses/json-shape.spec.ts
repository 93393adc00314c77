import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonShape, type JsonShape } from './json-shape.ts';

const everything = { depth: Infinity, values: Infinity };
const shapeOf = (text: string, upTo: JsonShape = everything) => jsonShape(Buffer.from(text), upTo);

/** The same by walking over what a parser has built. */
function walked(value: unknown): JsonShape {
  if (typeof value !== 'object' || value === null) return { depth: 0, values: 0 };
  const children = Object.values(value).map(walked);
  return {
    depth: 1 + Math.max(0, ...children.map(({ depth }) => depth)),
    values:
      1 + Math.max(0, children.length - 1) + children.reduce((sum, { values }) => sum + values, 0),
  };
}

describe('the shape of a JSON text', () => {
  test('is that of the value it stands for', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
        expect(shapeOf(JSON.stringify(value, null, indent))).toEqual(walked(value));
      }),
    );
  });

  test.each([
    ['"[{,"', 0, 0],
    [String.raw`["\"[[,,"]`, 1, 1],
    [String.raw`["\\",[]]`, 2, 3],
    [String.raw`["\\\"[",0]`, 1, 2],
    [String.raw`{"a\\\\":{"]}":"\u005b"}}`, 2, 2],
  ])('is not changed by what texts say: %s', (text, depth, values) => {
    expect(JSON.parse(text)).toBeDefined();
    expect(shapeOf(text)).toEqual({ depth, values });
  });

  test.each(['', '"', String.raw`"\"`, ']]]', '{"a', '\u0000', '[['])(
    'is something also when it is none: %j',
    (text) => {
      expect(shapeOf(text).depth).toBeLessThanOrEqual(2);
    },
  );

  test('is counted to the bound and no further', () => {
    expect(shapeOf('['.repeat(1_000), { depth: 3, values: 100 }).depth).toBe(4);
    expect(shapeOf('[0,0,0,0,0,0,0]', { depth: 3, values: 2 }).values).toBe(3);
  });
});
