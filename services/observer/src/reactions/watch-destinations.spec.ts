import { deepEqual } from 'node:assert/strict';
import { test } from 'vitest';
import { sumsOf } from './watch-destinations.ts';

test('destinations are summed by their type, and an unknown one is left out', () => {
  const now = new Date('2026-11-27T10:00:10.000Z');
  const standing = (destinationId: string, oldestAt: string | undefined, isFailing = false) => ({
    destinationId,
    isFailing,
    oldestAt: oldestAt === undefined ? null : new Date(oldestAt),
    deadLetters: 2n,
  });
  const sums = sumsOf(
    [
      standing('webhook-1', '2026-11-27T10:00:08.000Z'),
      standing('webhook-2', '2026-11-27T10:00:03.000Z', true),
      standing('s3-1', undefined),
      standing('unknown', '2026-11-27T09:00:00.000Z'),
    ],
    (id) => (id === 'unknown' ? undefined : id.split('-')[0]),
    now,
  );
  deepEqual(
    [...sums],
    [
      ['webhook', { active: 2, failing: 1, backlogAgeSeconds: 7, deadLetters: 4 }],
      ['s3', { active: 1, failing: 0, backlogAgeSeconds: 0, deadLetters: 2 }],
    ],
  );
});
