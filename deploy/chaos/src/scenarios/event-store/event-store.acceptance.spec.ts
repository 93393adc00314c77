import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { perform } from '../../perform.ts';
import { eventStore } from './event-store.ts';

/** accepted-store.spec.ts restores an older copy. */
const faults = ['killed', 'frozen', 'election (not ready)', 'answers lost with their call'];

describe('an event store that fails in one way after the other', () => {
  test('loses no command, doubles none, is silent about nothing, and costs no request', async () => {
    const { findings, rounds, numbers } = await perform(eventStore, {
      FAULTS: faults.join(','),
      SEED: '1',
      RPS: '4',
      AWAY_SECONDS: '1',
      // The default is for a quiet machine. Commands that do not go on at all are a finding here as well.
      GAP_SECONDS: '60',
    });
    deepEqual(findings, []);
    const { lost, twice, silent, failedInference, failedReads, longestGapMs } = numbers;
    deepEqual([lost, twice, silent, failedInference, failedReads], [0, 0, 0, 0, 0]);
    equal(rounds.length, faults.length);
    for (const { fault, acknowledged } of rounds)
      ok(acknowledged > 0, `${fault}: nothing was acknowledged`);
    ok(numbers.inference > 20, `${numbers.inference} requests`);
    ok(longestGapMs > 0, 'no gap was seen: this shows nothing');
  });
});
