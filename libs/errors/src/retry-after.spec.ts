import { equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { catalog, type ErrorCode, Fault, retryAfterSecondsOf } from './index.ts';

describe('when to come again', () => {
  test.each(Object.keys(catalog) as ErrorCode[])('is said with %s where it is a 503', (code) => {
    const seconds = retryAfterSecondsOf(new Fault(code));
    if (catalog[code].http === 503) equal(seconds, 1);
    equal(retryAfterSecondsOf(new Fault(code, { retryAfterSeconds: 7 })), 7);
  });

  test('is said with what passes by itself, and not where the same request fails again', () => {
    equal(retryAfterSecondsOf(new Fault('revision_conflict')), 1);
    equal(retryAfterSecondsOf(new Fault('timeout')), 1);
    equal(retryAfterSecondsOf(new Fault('not_found')), undefined);
    equal(retryAfterSecondsOf(new Fault('credits_exhausted')), undefined);
  });
});
