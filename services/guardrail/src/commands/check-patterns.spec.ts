import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { createWorkerPool, type JobFailure } from '@sluice/worker-pool';
import { afterAll, describe, test } from 'vitest';
import { createPatternCheck, patternRejection } from './check-patterns.ts';

const pool = createWorkerPool({ waitMs: 600_000, starvedMs: 600_000, deadlineMs: 120_000 });
afterAll(() => pool.stop());
const checkPatterns = (patterns: readonly string[]) => createPatternCheck(pool)('a', patterns);

describe('a pattern of a filter', () => {
  test('may be what JavaScript and a linear-time engine both know', async () => {
    const sound = [
      String.raw`\b[A-Z]{2}\d{6}\b`,
      '(?<year>\\d{4})-(?<month>\\d{2})',
      '(?i)secret|password',
      String.raw`\u0041\/[^\s]+`,
      '[\\p{L}\\p{N}]+@example\\.com',
      'x'.repeat(49_000),
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

  test('that is too large is refused by its instructions, not by a time', async () => {
    const [small, large] = await checkPatterns(['a', '(?i)' + '[a-z]{0,99}'.repeat(9_000)]);
    equal(small, undefined);
    match(large ?? '', /compiled to more than 100000 instructions.*may have 50000 altogether$/);
  });

  test('is refused from the one on that a guardrail has no room for', async () => {
    const patterns = Array.from({ length: 60 }, (_, index) => `a{${900 + index}}`);
    const problems = await checkPatterns(patterns);
    const first = problems.findIndex((problem) => problem !== undefined);
    match(
      problems[first] ?? '',
      /^it is compiled to \d+ instructions, and a guardrail may have 50000 altogether \(the patterns before it have \d+\)$/,
    );
    equal(first, 53);
    deepEqual(
      problems.map((problem) => problem !== undefined),
      patterns.map((_pattern, index) => index >= first),
    );
  });

  test.each(['late', 'busy', 'broken'] as const)(
    'is not judged if the threads are %s: the client comes again',
    async (failure: JobFailure) => {
      const check = createPatternCheck({ run: async () => failure, stop: async () => undefined });
      await rejects(check('a', ['a']), {
        name: 'Fault',
        code: 'overloaded',
        retryAfterSeconds: 2,
      });
    },
  );

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
