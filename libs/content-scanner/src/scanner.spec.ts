import { deepEqual, equal } from 'node:assert/strict';
import { afterAll, describe, test } from 'vitest';
import { createScanner, type ScanJob } from './index.ts';

const jobOf = (pattern: string, text: string): ScanJob => ({
  revision: pattern,
  set: { builtin: [], custom: [{ pattern, action: 'block', label: null }] },
  groups: [{ texts: [text], form: 'text', scansInjection: true }],
  entitiesMs: 500,
});
const scanner = createScanner();
const inNoTime = createScanner({ deadlineMs: 1 });
afterAll(() => Promise.all([scanner.stop(), inNoTime.stop()]));

describe('a scan in a thread of its own', () => {
  test('has a verdict per group', async () => {
    const verdicts = await scanner.scan(jobOf('b+', 'abba'));
    deepEqual(verdicts, [
      {
        detections: [{ filter: 0, rule: 'custom', start: 1, end: 3 }],
        redactions: [],
        isCut: false,
      },
    ]);
  });

  test('says that a filter broke, and scans the next text', async () => {
    equal(await scanner.scan(jobOf('(', 'a')), 'broken');
    equal(await scanner.scan(jobOf('a', 'a'.repeat(100_001))), 'broken');
    equal((await scanner.scan(jobOf('c', 'abc'))).length, 1);
  });

  test('says that it was late', async () => {
    equal(await inNoTime.scan(jobOf('a', 'a')), 'late');
  });

  test('is late at once behind as many as may wait', async () => {
    const scans = Array.from({ length: 17 }, () => scanner.scan(jobOf('d', 'abc')));
    const outcomes = await Promise.all(scans);
    equal(outcomes.at(-1), 'late');
    equal(outcomes.filter((outcome) => typeof outcome === 'string').length, 1);
  });
});
