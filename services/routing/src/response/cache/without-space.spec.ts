import { equal, notEqual } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { withoutSpace } from './without-space.ts';

const tight = (json: string) => withoutSpace(Buffer.from(json)).toString();

describe('JSON without white space', () => {
  test('is that of JSON.stringify, however it was laid out', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1, 4, '\t'), (value, indent) => {
        equal(tight(JSON.stringify(value, undefined, indent)), JSON.stringify(value));
      }),
    );
  });

  test.each([
    ['a space in a text', '{"a": "b  c"}', '{"a":"b  c"}'],
    ['a quote in a text', String.raw`["a\" , \\" , "b"]`, String.raw`["a\" , \\","b"]`],
    ['lines of all kinds', '[\r\n\t1 ,\n2 ]', '[1,2]'],
    ['a text without an end', '["a b', '["a b'],
    ['nothing', '', ''],
  ])('has %s', (_name, json, expected) => equal(tight(json), expected));

  test('keeps what differs: digits, the order of members, members of the same name', () => {
    notEqual(tight('[1.0]'), tight('[1]'));
    notEqual(tight('{"a":1,"b":2}'), tight('{"b":2,"a":1}'));
    notEqual(tight('{"a":1,"a":2}'), tight('{"a":2}'));
  });

  test('reads a part of a larger buffer', () => {
    const all = Buffer.from('xx[1, 2]yy');
    equal(withoutSpace(all.subarray(2, 8)).toString(), '[1,2]');
  });
});
