import { equal } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { compilePatterns } from './patterns.ts';

const letters = fc.stringMatching(/^[ab/*]{0,8}$/);

/** Matches by trying every way: slow, and plainly right. */
function matchesSlowly(name: string, pattern: string): boolean {
  if (pattern === '') return name === '';
  if (pattern.startsWith('*'))
    return Array.from({ length: name.length + 1 }, (_, at) => name.slice(at)).some((rest) =>
      matchesSlowly(rest, pattern.slice(1)),
    );
  return name[0] === pattern[0] && matchesSlowly(name.slice(1), pattern.slice(1));
}

describe('patterns of models', () => {
  test.each<[string, string, boolean]>([
    ['a/*', 'a/b', true],
    ['a/*', 'ab/b', false],
    ['*', '', true],
    ['*/b', 'a/b', true],
    ['a/b', 'a/b', true],
    ['a/b', 'a/bc', false],
    ['ab*ba', 'aba', false],
    ['a/.b', 'a/xb', false],
    ['', 'a/b', false],
  ])('%s of %s: %s', (pattern, name, expected) => {
    equal(compilePatterns([pattern])(name), expected);
    equal(compilePatterns(['nothing', pattern])(name), expected);
  });

  test('match as every way of reading their stars says', () => {
    fc.assert(
      fc.property(letters, letters, (pattern, name) => {
        equal(compilePatterns([pattern])(name), matchesSlowly(name, pattern));
      }),
      { numRuns: 2_000 },
    );
  });

  test('of none match nothing', () => {
    equal(compilePatterns([])('a/b'), false);
  });
});
