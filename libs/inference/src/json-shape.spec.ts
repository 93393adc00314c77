import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonScan, type JsonShape } from './json-shape.ts';

type Structure = Pick<JsonShape, 'depth' | 'values'>;

function scanned(text: string, pieceBytes = Infinity): JsonShape {
  const scan = new JsonScan(Buffer.from(text), () => false, { seed: 7 });
  while (!scan.advance(pieceBytes));
  return scan.shape;
}

function shapeOf(text: string): Structure {
  const { depth, values } = scanned(text);
  return { depth, values };
}

/** Counts the same by walking over the parsed value. */
function walked(value: unknown): Structure {
  if (typeof value !== 'object' || value === null) return { depth: 0, values: 0 };
  const children = Object.values(value).map(walked);
  return {
    depth: 1 + Math.max(0, ...children.map(({ depth }) => depth)),
    values:
      1 + Math.max(0, children.length - 1) + children.reduce((sum, { values }) => sum + values, 0),
  };
}

test.each([
  ['{"a":1234567890123456}', true],
  ['[-0]', true],
  ['[1e400 ]', true],
  ['[0.1234567890123456]', true],
  ['{"a":123456789012345,"b":-12,"c":[0.5,0,10],"d":true,"e":false}', false],
  ['{"1234567890123456":"1234567890123456 -0, 1e400"}', false],
])('a number that JavaScript may round is seen, wherever the text is cut: %s', (text, isThere) => {
  for (let pieceBytes = 1; pieceBytes <= text.length; pieceBytes += 1)
    expect(scanned(text, pieceBytes).hasLongNumbers).toBe(isThere);
});

describe('the shape of a JSON text', () => {
  test('is that of the value it stands for', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
        expect(shapeOf(JSON.stringify(value, null, indent))).toEqual(walked(value));
      }),
    );
  });

  test.each([
    ['{"a":1,"b":[0,0,0],"c":2}', 2, 0],
    ['[{"a":1,"b":2},{"a":1,"b":2,"c":3},0]', 0, 2],
    ['{"a":{"b":1,"c":[{"d":1,"e":2,"f":3}],"g":",,,"},"h":0}', 1, 2],
    ['[0,0,0]', 0, 0],
  ])('has the most members of an object, outside and inside: %s', (text, outer, inner) => {
    const { outerCommas, innerCommas } = scanned(text);
    expect([outerCommas, innerCommas]).toEqual([outer, inner]);
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

  test('is the same in pieces of any size', () => {
    const escaped = fc.stringMatching(/^[\\"a[{, ]{0,40}$/);
    const value = fc.oneof(fc.jsonValue(), fc.array(escaped), fc.dictionary(escaped, escaped));
    fc.assert(
      fc.property(value, fc.integer({ min: 1, max: 20 }), (json, pieceBytes) => {
        const text = JSON.stringify(json);
        expect(scanned(text, pieceBytes)).toEqual(scanned(text));
      }),
    );
  });

  test.each([
    ['[1, 22]', 4, 0],
    ['  {"a": true}\n', 9, 1],
    ['{"a":"b c","d":"\\"  "}', 2, 4],
  ])('tells strings from what stands bare: %j', (text, bareBytes, strings) => {
    expect(scanned(text)).toMatchObject({ bareBytes, strings });
  });

  test('is counted a little beyond the bound and no further', () => {
    const scan = new JsonScan(Buffer.from('['.repeat(1_000_000)), ({ depth }) => depth > 3, {
      seed: 7,
    });
    expect(scan.advance(Infinity)).toBe(true);
    expect(scan.shape.depth).toBeLessThan(10_000);
  });
});
