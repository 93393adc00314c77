import { deepEqual, equal, match } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { checkPatterns, patternRejection } from './check-patterns.ts';

describe('a pattern of a filter', () => {
  test('may be what JavaScript and a linear-time engine both know', async () => {
    const sound = [
      String.raw`\b[A-Z]{2}\d{6}\b`,
      '(?<year>\\d{4})-(?<month>\\d{2})',
      '(?i)secret|password',
      String.raw`\u0041\/[^\s]+`,
      '[\\p{L}\\p{N}]+@example\\.com',
      'x'.repeat(100_000),
    ];
    deepEqual(
      await checkPatterns(sound),
      sound.map(() => undefined),
    );
  });

  test.each([
    ['an open bracket', '['],
    ['an open group', '(a'],
    ['a lookahead', 'a(?=b)'],
    ['a negative lookahead', 'a(?!b)'],
    ['a lookbehind', '(?<=a)b'],
    ['a negative lookbehind', '(?<!a)b'],
    ['a backreference', String.raw`(a)\1`],
    ['a backreference by name', String.raw`(?<n>a)\k<n>`],
    ['nothing to repeat', '*a'],
    ['a repetition of repetitions', '(a+)+$'],
    ['too many repetitions', 'a{100000}'],
  ])('cannot have %s', async (_what, pattern) => {
    const [first, second, third] = await checkPatterns(['a', pattern, 'b']);
    equal(first, undefined);
    equal(typeof second, 'string');
    equal(third, undefined);
  });

  test('that takes for ever to compile is given up', async () => {
    const [problem] = await checkPatterns(['(?i)' + '[a-z]{0,99}'.repeat(9_000)]);
    match(problem ?? '', /too long|too large/);
  });

  test('is named in the refusal, with the reason that clients look for', () => {
    equal(patternRejection([undefined, undefined]), undefined);
    deepEqual(patternRejection([undefined, 'missing )']), {
      rejected: 'invalid_request',
      message: 'content_filters.1.pattern: is no regular expression that can be run: missing )',
      metadata: {
        issues: [
          {
            path: 'content_filters.1.pattern',
            message: 'is no regular expression that can be run: missing )',
          },
        ],
        reason: 'invalid_regex_pattern',
      },
    });
  });
});
