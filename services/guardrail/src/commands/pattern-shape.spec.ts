import { equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { shapeProblem } from './pattern-shape.ts';

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
