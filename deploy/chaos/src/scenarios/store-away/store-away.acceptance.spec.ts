import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { perform } from '../../perform.ts';
import { storeAway } from './store-away.ts';

describe('a store away under load', () => {
  // The other ways take as long and are a matter of `.ci/nightly`. event-store.acceptance.spec.ts freezes the event store.
  test.each(['postgres-killed'] as const)(
    'and %s fails no inference of keys in use, answers nothing else wrongly, and no limit is exceeded',
    async (HOW) => {
      const { outcome } = await perform(storeAway, { HOW, AWAY_SECONDS: '4', RPS: '20' });
      const { inference, questions, firstWrites, writes, overspendNanoUsd } = outcome;
      const tallies = [inference, questions, firstWrites, writes];
      deepEqual(
        tallies.flatMap(({ failures }) => [...failures]),
        [],
      );
      equal(overspendNanoUsd, 0n);
      ok(inference.sent > 0 && questions.sent > 0 && writes.sent > 0);
    },
  );
});
