import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { add, summary, tallyOf } from './tally.ts';

const file = (status: string, ...tests: readonly string[]) => ({
  name: '/a.spec.ts',
  status,
  startTime: 0,
  endTime: 1_000,
  message: '',
  assertionResults: tests.map((each) => ({ status: each, fullName: 'a', failureMessages: [] })),
});

describe('the tests that are counted', () => {
  test('are those that ran, of all files', () => {
    const report = {
      testResults: [
        file('passed', 'passed', 'passed', 'skipped'),
        file('failed', 'failed', 'passed'),
      ],
    };
    deepEqual(tallyOf(report, 1), { passed: 3, failed: 1, skipped: 1 });
  });

  test('include a file that did not load, and one whose hook failed', () => {
    const report = {
      testResults: [file('failed'), file('failed', 'skipped'), file('passed', 'passed')],
    };
    deepEqual(tallyOf(report, 1), { passed: 1, failed: 2, skipped: 1 });
  });

  test('hide no run that ended badly', () => {
    deepEqual(tallyOf({ testResults: [file('passed', 'passed')] }, 1), {
      passed: 1,
      failed: 1,
      skipped: 0,
    });
    deepEqual(tallyOf(undefined, 134), { passed: 0, failed: 1, skipped: 0 });
  });
});

test('the last line is plain', () => {
  const total = add({ passed: 4, failed: 0, skipped: 1 }, { passed: 8, failed: 2, skipped: 0 });
  equal(summary(total), '12 passed, 2 failed');
});
