import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isRejection } from '@sluice/errors';
import { Type } from 'typebox';
import { describe, test } from 'vitest';
import {
  aggregateAfter,
  type CommandContext,
  commandHandler,
  type Decider,
  eventCodec,
  type EventOf,
  type EventMetadata,
  type EventStore,
  inMemoryEventStore,
  isOwnEvent,
  loadAggregate,
  metastreamOf,
} from './index.ts';

const counts = {
  category: 'counter',
  id: '<id>',
  description: 'For the spec.',
  events: { Counted: Type.Object({ by: Type.Number() }) },
};
type Counted = EventOf<typeof counts>;
const counter: Decider<{ by: number }, number, Counted> = {
  category: 'counter',
  initial: 0,
  evolve: (sum, event) => sum + event.data.by,
  decide: ({ by }) => [{ type: 'Counted', data: { by } }],
};
const codec = eventCodec(counts);

function fixture(store: EventStore = inMemoryEventStore({ now: () => new Date(0) })) {
  const handle = commandHandler(counter, codec, {
    store,
    eventId: (commandId, index) => `${commandId}-${index}`,
    retryPause: async () => undefined,
  });
  const count = (by: number) => handle('1', { by }, context());
  const write = (stream: string, type: string, data: object) =>
    store.append(stream, [{ id: randomUUID(), type, data, metadata: {} as EventMetadata }], 'any');
  const foreign = (type: string) => write('counter-1', type, { by: 'much' });
  const setMetadata = (metadata: object) => write(metastreamOf('counter-1'), '$metadata', metadata);
  return { store, count, foreign, setMetadata };
}

function context(): CommandContext {
  return {
    commandId: randomUUID(),
    occurredAt: '2026-01-01T00:00:00.000Z',
    actor: { type: 'system', id: 'spec' },
    requestId: 'req-1',
  };
}

const ownMetadata = { schemaVersion: 1, commandId: 'c', occurredAt: '2026-01-01T00:00:00.000Z' };

describe('an event of somebody else', () => {
  test.each([
    ['without metadata', 'Counted', undefined, false],
    ['with a text as metadata', 'Counted', 'text', false],
    ['with null as metadata', 'Counted', null, false],
    ['with metadata of its own', 'Counted', { $correlationId: 'x' }, false],
    ['of the store itself', '$streamDeleted', ownMetadata, false],
    ['of ours', 'Counted', ownMetadata, true],
    ['of ours that nobody can read', 'Unknown', { ...ownMetadata, schemaVersion: 'x' }, true],
  ])('is known by its metadata and type: %s', (_name, type, metadata, own) => {
    equal(isOwnEvent({ type, metadata }), own);
  });

  test.each([
    ['first', ['foreign', 2, 3]],
    ['in between', [2, 'foreign', 3]],
    ['last', [2, 3, 'foreign']],
    ['of a type of ours', [2, 'Counted', 3]],
    ['of the store', [2, '$streamDeleted', 3]],
  ] as const)('%s counts for the revision and not for the state', async (_where, steps) => {
    const { store, count, foreign } = fixture();
    for (const step of steps) await (typeof step === 'number' ? count(step) : foreign(step));
    const handled = await count(4);
    ok(!isRejection(handled));
    deepEqual([handled.state, handled.revision], [9, 3n]);
    const { state, revision } = await loadAggregate(store, counter, codec, '1');
    deepEqual([state, revision], [9, 3n]);
  });
});

describe('a stream whose first events are cut off', () => {
  const cut = (store: EventStore, firstShown: number): EventStore => ({
    ...store,
    async *read(stream, from) {
      for await (const event of store.read(stream, from))
        if (event.revision >= BigInt(firstShown)) yield event;
    },
  });

  test.each([1, 2, 3])('takes no command and has no state: %i of 3 hidden', async (hidden) => {
    const { store, count } = fixture();
    for (const by of [1, 2, 4]) await count(by);
    const shown = cut(store, hidden);
    await rejects(fixture(shown).count(8), { code: 'stream_gone' });
    equal((await loadAggregate(shown, counter, codec, '1')).state, counter.initial);
    equal((await Array.fromAsync(store.read('counter-1'))).length, 3);
  });

  test.each([1, 2, 3, 1_000])('takes no command after $tb %i was set', async ($tb) => {
    const { store, count, setMetadata } = fixture();
    for (const by of [1, 2, 4]) await count(by);
    await setMetadata({ $tb });
    for (const by of [8, 16]) await rejects(count(by), { code: 'stream_gone' });
    equal((await loadAggregate(store, counter, codec, '1')).state, counter.initial);
  });

  test('and that the store would let begin again, does not begin again', async () => {
    // A real store behaves so after a deletion: it shows nothing and takes a first event.
    const begun: string[] = [];
    const { store, setMetadata } = fixture();
    await setMetadata({ $tb: 7 });
    const deleted: EventStore = {
      ...store,
      append(stream, ...rest) {
        begun.push(stream);
        return store.append(stream, ...rest);
      },
    };
    await rejects(fixture(deleted).count(1), { code: 'stream_gone' });
    deepEqual(begun, []);
  });

  test('by metadata that hide nothing takes commands', async () => {
    const { count, setMetadata } = fixture();
    await setMetadata({ $tb: 1, $acl: 'wrong', $maxCount: 'wrong' });
    await setMetadata({ $acl: { $r: ['ops'] } });
    ok(!isRejection(await count(1)));
  });

  test('is still folded from events that are all at hand', async () => {
    const { store, count } = fixture();
    for (const by of [1, 2, 4]) await count(by);
    const events = await Array.fromAsync(store.read('counter-1'));
    equal((await aggregateAfter(cut(store, 2), counter, codec, '1', events)).state, 7);
  });
});
