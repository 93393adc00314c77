import { equal, ok, throws } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { PatternError } from './pattern-parser.ts';
import { compilePattern } from './pattern.ts';

const aPiece = fc.constantFrom(
  'a',
  'b',
  '.',
  '\\d',
  '\\.',
  '[ab]',
  '[^a-b]',
  '[a-]',
  '^',
  '$',
  '(a|b1)',
  '(?:ab)',
  '\\w',
  '(|a)',
);
const aQuantifier = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,2}', '{0,}', '+?');
const aPattern = fc
  .array(
    fc
      .tuple(aPiece, aQuantifier)
      .map(([piece, quantifier]) => (piece === '^' || piece === '$' ? piece : piece + quantifier)),
    { minLength: 1, maxLength: 5 },
  )
  .map((pieces) => pieces.join(''));
const aText = fc.string({ maxLength: 8, unit: fc.constantFrom('a', 'b', '1', '.', '-', '\n') });

describe('a pattern', () => {
  test('matches where JavaScript says so', () => {
    fc.assert(
      fc.property(aPattern, aText, (pattern, text) => {
        equal(compilePattern(pattern)(text), new RegExp(pattern, 'u').test(text));
      }),
      { numRuns: 2_000 },
    );
  });

  test('leaves system events out, as clients commonly ask', () => {
    const matches = compilePattern('^[^$].*');
    equal(matches('ThingHappened'), true);
    equal(matches('$metadata'), false);
  });

  test('takes no longer for one that would keep a backtracking engine busy for years', () => {
    equal(compilePattern('^(a+)+$')('a'.repeat(2_000) + 'b'), false);
  });

  test('counts a letter outside the basic plane as one', () => {
    ok(compilePattern('^.$')('𝒳'));
  });

  test('is refused when it is none, is not understood, or is too large', () => {
    const wrong = [
      '(',
      ')',
      '*a',
      '[a',
      'a{2',
      'a{3,2}',
      'a{101}',
      '(?=a)',
      '(?<n>a)',
      '\\1',
      '\\b',
    ];
    const large = ['a'.repeat(1_001), '((((a{100}){100}){100}){100})', '('.repeat(60)];
    for (const pattern of [...wrong, ...large, '[z-a]', '\\', '{2}'])
      throws(() => compilePattern(pattern), PatternError, pattern);
  });
});
