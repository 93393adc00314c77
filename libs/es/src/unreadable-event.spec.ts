import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isRejection } from '@sluice/errors';
import { Type } from 'typebox';
import { describe, test } from 'vitest';
import {
  aggregateAfter,
  commandHandler,
  type Decider,
  type EventOf,
  eventCodec,
  type EventMetadata,
  type EventStore,
  inMemoryEventStore,
  loadAggregate,
  UnreadableEvent,
} from './index.ts';

const counts = {
  category: 'counter',
  id: '<id>',
  description: 'For the spec.',
  events: { Counted: Type.Object({ by: Type.Object({ exact: Type.Number() }) }) },
};
type Counted = EventOf<typeof counts>;
const counter: Decider<{ by: number }, number, Counted> = {
  category: 'counter',
  initial: 0,
  evolve: (sum, event) => sum + event.data.by.exact,
  decide: ({ by }) => [{ type: 'Counted', data: { by: { exact: by } } }],
};
const codec = eventCodec(counts);
const store = inMemoryEventStore({ now: () => new Date(0) });

function count(on: EventStore, id: string, commandId: string = randomUUID()) {
  const eventId = (command: string, index: number) => `${command}-${index}`;
  const handle = commandHandler(counter, codec, { store: on, eventId, retryPause: async () => {} });
  const occurredAt = '2026-01-01T00:00:00.000Z';
  const actor = { type: 'system' as const, id: 'spec' };
  return handle(id, { by: 1 }, { commandId, occurredAt, actor, requestId: 'req-1' });
}

async function write(id: string, type: string, data: object, schemaVersion: unknown = 1) {
  const metadata = { schemaVersion, commandId: randomUUID(), occurredAt: '2026-01-01T00:00:00Z' };
  const event = { id: randomUUID(), type, data, metadata: metadata as unknown as EventMetadata };
  await store.append(`counter-${id}`, [event], 'any');
  return event;
}

describe('a stream with an event of ours that nobody can read', () => {
  test.each([
    ['of an unknown type', 'TurnedInsideOut', { by: { exact: 1 } }, 1],
    ['of a version of the future', 'Counted', { by: { exact: 1 } }, 2],
    ['without a version', 'Counted', { by: { exact: 1 } }, 'one'],
    ['with data that fit no state', 'Counted', {}, 1],
  ])('takes no command and has no state: %s', async (name, type, data, version) => {
    ok(!isRejection(await count(store, name)));
    const { id } = await write(name, type, data, version);
    const isUnreadable = (error: unknown) =>
      error instanceof UnreadableEvent &&
      error.code === 'stream_unreadable' &&
      error.event.id === id &&
      error.metadata['event_id'] === id;
    await rejects(count(store, name), isUnreadable);
    await rejects(loadAggregate(store, counter, codec, name), isUnreadable);
    const events = await Array.fromAsync(store.read(`counter-${name}`));
    await rejects(aggregateAfter(store, counter, codec, name, events), isUnreadable);
    ok(!isRejection(await count(store, `${name}, beside it`)));
  });

  test('takes commands again once the event is left out', async () => {
    const { id } = await write('left out', 'TurnedInsideOut', {});
    const without: EventStore = {
      ...store,
      async *read(...asked) {
        for await (const event of store.read(...asked))
          yield event.id === id ? { ...event, leftOut: 'skipped' } : event;
      },
    };
    const handled = await count(without, 'left out');
    ok(!isRejection(handled));
    deepEqual([handled.state, handled.revision], [1, 1n]);
  });

  test('does not count a command as carried out because an event of somebody else says so', async () => {
    const commandId = randomUUID();
    const event = { id: randomUUID(), type: 'Counted', data: {}, metadata: { commandId } };
    await store.append('counter-claimed', [event as never], 'any');
    const handled = await count(store, 'claimed', commandId);
    ok(!isRejection(handled));
    equal(handled.events.length, 1);
  });
});
