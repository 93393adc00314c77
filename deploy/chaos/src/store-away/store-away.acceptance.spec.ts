import { deepEqual, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { storeAwayTest } from './store-away-test.ts';

const timeoutMs = 300_000;

describe('the event store away under load', () => {
  test.each(['frozen', 'killed'] as const)(
    'and %s fails no inference and no question, and commands are refused',
    async (how) => {
      const onProgress = () => undefined;
      const result = await storeAwayTest({ how, seconds: 8, requestsPerSecond: 20, onProgress });
      const { inference, questions, writes } = result;
      const failures = [inference, questions, writes].flatMap((tally) => [...tally.failures]);
      deepEqual(failures, []);
      ok(inference.sent > 0 && questions.sent > 0 && writes.sent > 0);
    },
    timeoutMs,
  );
});
