import { deepEqual, equal } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { firstRevisionShown, noMetadata, parseMetadata } from './stream-metadata.ts';

const parsed = (text: string) => parseMetadata(Buffer.from(text));
const names = ['$maxCount', '$maxAge', '$tb', '$cacheControl'];

describe('stream metadata', () => {
  test.each([
    ['{"$maxCount":2}', { maxCount: 2, maxAgeMs: undefined, truncateBefore: 0 }],
    ['{"$tb":3}', { maxCount: undefined, maxAgeMs: undefined, truncateBefore: 3 }],
    ['{"$tb":0}', { maxCount: undefined, maxAgeMs: undefined, truncateBefore: 0 }],
    ['{"$maxAge":1000}', { maxCount: undefined, maxAgeMs: 1_000_000, truncateBefore: 0 }],
    ['{"$maxCount":2,"$tb":4}', { maxCount: 2, maxAgeMs: undefined, truncateBefore: 4 }],
    ['{"own":{"x":1.5},"$maxCount":3}', { maxCount: 3, maxAgeMs: undefined, truncateBefore: 0 }],
    [
      '{"$acl":{"$r":["a","b"],"$w":"c"},"$tb":1}',
      { maxCount: undefined, maxAgeMs: undefined, truncateBefore: 1 },
    ],
  ])('is taken: %s', (text, expected) => {
    const { maxCount, maxAgeMs, truncateBefore, raw } = parsed(text);
    deepEqual({ maxCount, maxAgeMs, truncateBefore }, expected);
    deepEqual(raw, JSON.parse(text));
  });

  test.each([
    ...names.flatMap((name) =>
      ['2.5', '2.0', '1e3', '-1', '"2"', 'null', 'true', '[2]', '{}', '99999999999999999999'].map(
        (value) => `{"${name}":${value},"own":1}`,
      ),
    ),
    '{"$maxCount":0}',
    '{"$maxAge":0}',
    '{"$maxAge":922337203686}',
    '{"$maxCount":2,"$tb":3.5}',
    '{"$acl":5,"$maxCount":2}',
    '{"$acl":{"$r":[1]},"$maxCount":2}',
    '{"$maxCount":2',
    '[]',
    '2',
    'null',
    '',
    '['.repeat(200_000),
  ])('counts as absent, all of it: %s', (text) => deepEqual(parsed(text), noMetadata));

  test('hides by $tb up to the largest int64, which alone is a soft delete', () => {
    equal(parsed('{"$tb":9223372036854775807}').softDeleted, true);
    equal(parsed('{"$tb":9223372036854775806}').softDeleted, false);
    deepEqual(parsed('{"$tb":9223372036854775808}'), noMetadata);
  });

  test('never gives a first revision that is no whole number, whatever it says', () => {
    const value = fc.oneof(
      fc.double().map((number) => JSON.stringify(number)),
      fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
      fc.integer({ min: -3, max: 9 }).map(String),
      fc.json({ maxDepth: 2 }),
      fc.constantFrom('1e3', '2.0', '-0', '1E+2', '9223372036854775807'),
    );
    const text = fc
      .array(fc.tuple(fc.constantFrom(...names, 'own'), value), { maxLength: 4 })
      .map((fields) => `{${fields.map(([name, each]) => `"${name}":${each}`).join(',')}}`);
    fc.assert(
      fc.property(text, fc.nat({ max: 9 }), (json, lastRevision) => {
        const metadata = parsed(json);
        const first = firstRevisionShown(metadata, lastRevision);
        return Number.isInteger(first) && first >= 0;
      }),
      { numRuns: 2_000 },
    );
  });
});
