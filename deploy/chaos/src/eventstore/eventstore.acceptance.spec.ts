import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { eventStoreTest } from './eventstore-test.ts';

const timeoutMs = 300_000;

describe('an event store that fails in one way after the other', () => {
  test(
    'loses no command, doubles none, is silent about nothing, and costs no request',
    async () => {
      const { findings, outcomes, ...numbers } = await eventStoreTest({
        faults: [
          'killed',
          'frozen',
          'election (not ready)',
          'answers lost with their call',
          'restored from an older copy',
        ],
        rounds: 1,
        seed: 1,
        // A busy machine must not shed them: it is not the load that is tested.
        requestsPerSecond: 4,
        awayMs: 1_500,
        lookOutMs: 30_000,
        // A test machine may be slower by four. `main.ts` has the limit.
        gapMsMax: 12_000,
        onProgress: () => undefined,
      });
      deepEqual(findings, []);
      const { lost, twice, silent, failedInference, failedReads, longestGapMs } = numbers;
      deepEqual([lost, twice, silent, failedInference, failedReads], [0, 0, 0, 0, 0]);
      equal(outcomes.length, 5);
      for (const { fault, acknowledged } of outcomes)
        ok(acknowledged > 0, `${fault}: nothing was acknowledged`);
      ok(numbers.inference > 20, `${numbers.inference} requests`);
      ok(longestGapMs > 0, 'no gap was seen: this shows nothing');
    },
    timeoutMs,
  );
});
