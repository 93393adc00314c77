import { equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { leastInstructions, shapeProblem } from './pattern-shape.ts';

describe('the shape of a pattern', () => {
  test.each([
    '(a+)+',
    '(a*)*',
    '([a-z]+)*',
    '(?:a+)+b',
    '(x+x+)+y',
    '(a|b+)+',
    '((a+))+',
    '(a+b?)+',
    '(?<word>\\w+)*',
    '(a+){2,}',
    '^(\\d+)*?$',
    '(?i:a+)+',
  ])('is refused where nothing but repetitions is repeated: %s', (pattern) => {
    equal(shapeProblem(pattern), 'has a repetition of repetitions');
  });

  test.each([
    'a+',
    '(\\d+-)+',
    '(?:[a-z0-9]+\\.)+[a-z]{2,}',
    '(a+)?',
    '(a+){3}',
    '(ab)+',
    '[(a+)+]',
    '\\(a+\\)+',
    '[]a+]+',
    'a{2}{',
    '(a',
    'a)+',
    '\\',
    '[a',
    '',
  ])('is let pass otherwise: %s', (pattern) => {
    equal(shapeProblem(pattern), undefined);
  });

  test('is refused where it refers back by a name, not where that is escaped', () => {
    equal(shapeProblem('(?<n>a)\\k<n>'), 'refers back to a group');
    equal(shapeProblem('(?<n>a)\\\\k<n>'), undefined);
  });
});

describe('the least instructions of a pattern', () => {
  test.each([
    ['', 0],
    ['abc', 3],
    ['a{900}', 900],
    ['a{2,9}', 9],
    ['a{7,}', 7],
    ['(?i)[a-z]{0,99}', 99],
    ['(?:ab){3}c', 7],
    ['(?:a{10}){20}', 200],
    ['a|bcd|ef', 3],
    ['(?:a|bcd){2}', 6],
    ['\\u0041\\x41\\p{L}\\d\\u{1F600}', 5],
    ['^\\ba$', 1],
    ['\u{1F600}', 1],
    ['a{,3}', 5],
    ['(a{3}', 3],
    ['[a{9}]', 1],
  ])('%j: %i', (pattern, instructions) => {
    equal(leastInstructions(pattern), instructions);
  });
});
