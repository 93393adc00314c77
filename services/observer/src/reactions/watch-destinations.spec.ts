import { deepEqual } from 'node:assert/strict';
import { test } from 'vitest';
import { shownOf } from './watch-destinations.ts';

test('a destination has its own state, those that share a series have their sums, and an unknown one has none', () => {
  const now = new Date('2026-11-27T10:00:10.000Z');
  const standing = (destinationId: string, oldestAt: string | undefined, isFailing = false) => ({
    destinationId,
    isFailing,
    oldestAt: oldestAt === undefined ? null : new Date(oldestAt),
    deadLetters: 2n,
  });
  const labels: Readonly<Record<string, { type: string; destination: string }>> = {
    one: { type: 'webhook', destination: 'one' },
    two: { type: 'webhook', destination: 'other' },
    three: { type: 'webhook', destination: 'other' },
    four: { type: 's3', destination: 'other' },
  };
  const shown = shownOf(
    [
      standing('one', '2026-11-27T10:00:08.000Z', true),
      standing('two', '2026-11-27T10:00:05.000Z'),
      standing('three', '2026-11-27T10:00:03.000Z', true),
      standing('four', undefined),
      standing('unknown', '2026-11-27T09:00:00.000Z'),
    ],
    (id) => labels[id],
    now,
  );
  const state = (active: number, failing: number, backlogAgeSeconds: number) => ({
    active,
    failing,
    backlogAgeSeconds,
    deadLetters: 2 * active,
  });
  deepEqual(shown, [
    { type: 'webhook', destination: 'one', ...state(1, 1, 2) },
    { type: 'webhook', destination: 'other', ...state(2, 1, 7) },
    { type: 's3', destination: 'other', ...state(1, 0, 0) },
  ]);
});
