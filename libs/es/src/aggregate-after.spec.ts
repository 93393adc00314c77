import { deepEqual, equal } from 'node:assert/strict';
import { Type } from 'typebox';
import { describe, test } from 'vitest';
import { aggregateAfter, byStream } from './aggregate-after.ts';
import { eventCodec } from './codec.ts';
import type { RecordedEvent } from './event-store.ts';
import type { EventOf } from './stream-schema.ts';

const sums = {
  category: 'sum',
  id: '<id>',
  description: 'For the spec.',
  events: { Added: Type.Object({ amount: Type.Number() }) },
};
type Added = EventOf<typeof sums>;

const sum = {
  category: 'sum',
  initial: 0,
  evolve: (state: number, { data }: Added) => state + data.amount,
};
const codec = eventCodec(sums);
const added = (stream: string, revision: bigint, amount: number): RecordedEvent => ({
  id: `${stream}-${revision}`,
  type: 'Added',
  stream,
  revision,
  position: { commit: revision, prepare: revision },
  data: { amount },
  metadata: { schemaVersion: 1, commandId: 'spec', occurredAt: '2026-01-01T00:00:00.000Z' },
  recordedAt: new Date(0),
});

/** The log has three events of each stream. */
function log() {
  const read: string[] = [];
  return {
    read: async function* (stream: string) {
      read.push(stream);
      for (const [index, amount] of [1, 2, 4].entries()) yield added(stream, BigInt(index), amount);
    },
    streamsRead: read,
  };
}

describe('an aggregate after some events', () => {
  test('is the fold of those events when they begin its stream, and nothing is read', async () => {
    const store = log();
    const events = [added('sum-a', 0n, 1), added('sum-a', 1n, 2)];
    const after = await aggregateAfter(store, sum, codec, 'a', events);
    deepEqual(after, { state: 3, revision: 1n });
    deepEqual(store.streamsRead, []);
  });

  test('is read from the log when events before them are missing', async () => {
    const store = log();
    const { state, revision } = await aggregateAfter(store, sum, codec, 'a', [
      added('sum-a', 1n, 2),
    ]);
    equal(state, 7);
    equal(revision, 2n);
    deepEqual(store.streamsRead, ['sum-a']);
  });
});

test('events are told apart by their streams and keep their order', () => {
  const [first, other, second] = [
    added('sum-a', 0n, 1),
    added('sum-b', 0n, 1),
    added('sum-a', 1n, 2),
  ];
  deepEqual(
    [...byStream([first, other, second])],
    [
      ['sum-a', [first, second]],
      ['sum-b', [other]],
    ],
  );
});
