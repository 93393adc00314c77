import { equal, ok, throws } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { compilePattern, PatternError } from './pattern.ts';

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

  test('may ignore case and look for the edge of a word', () => {
    equal(compilePattern('(?i)^ACCOUNT-')('account-1'), true);
    equal(compilePattern('Abc1\\b')('x-Abc1'), true);
  });

  test('is refused when it is none, is not understood, or is too large', () => {
    const wrong = [
      '(',
      ')',
      '*a',
      '[a',
      'a{3,2}',
      'a{1001}',
      '(?=a)',
      '(?!a)',
      '\\1',
      '[z-a]',
      '\\',
    ];
    const large = ['a'.repeat(1_001), '((((a{100}){100}){100}){100})', '(a{999}|b{999})'];
    for (const pattern of [...wrong, ...large])
      throws(() => compilePattern(pattern), PatternError, pattern);
  });

  test('is compiled or refused at once, however deeply repetitions are nested', () => {
    const quantifier = fc.constantFrom('{2}', '{0,2}', '{1,2}', '{2,}', '*', '+', '?', '{100}');
    const nested = fc
      .tuple(fc.constantFrom('', 'a', '(|a)', '[ab]'), fc.array(quantifier, { maxLength: 60 }))
      .map(([inner, outer]) => outer.reduce((part, each) => `(?:${part})${each}`, `(?:${inner})`));
    fc.assert(
      fc.property(nested, (pattern) => {
        try {
          compilePattern(pattern)('aab');
        } catch (error) {
          ok(error instanceof PatternError);
        }
      }),
      { numRuns: 500, examples: [['(?:'.repeat(30) + '){2}'.repeat(30)]] },
    );
  });
});
