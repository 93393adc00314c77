import { deepEqual, equal, throws } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'vitest';
import {
  type EventStore,
  type EventToAppend,
  inMemoryEventStore,
  inNamespace,
  streamOnDisk,
  type SubscriptionMessage,
} from './index.ts';
import { eventStoreContract } from './testing.ts';

const shared = () => inMemoryEventStore({ now: () => new Date(0) });

eventStoreContract({
  name: 'in-memory store in a namespace',
  open: async () => inNamespace(shared(), 'sluice'),
});

function anEvent(): EventToAppend {
  const commandId = randomUUID();
  const metadata = {
    schemaVersion: 1,
    occurredAt: '2026-01-01T00:00:00Z',
    commandId,
    actor: { type: 'system' as const, id: 'spec' },
    requestId: commandId,
    $correlationId: commandId,
    $causationId: commandId,
  };
  return { id: randomUUID(), type: 'Happened', data: {}, metadata };
}

async function delivered(store: EventStore, streamPrefixes: string[]): Promise<string[]> {
  const streams: string[] = [];
  const { signal } = new AbortController();
  const isCaughtUp = ({ kind }: SubscriptionMessage) => kind === 'caught_up';
  for await (const batch of store.subscribe({ after: 'start', streamPrefixes, signal })) {
    for (const message of batch) if (message.kind === 'event') streams.push(message.event.stream);
    if (batch.some(isCaughtUp)) break;
  }
  return streams;
}

describe('two installations in one store', () => {
  test('see nothing of each other, and their names are those of the one without a namespace', async () => {
    const store = shared();
    const [one, two] = [inNamespace(store, 'one'), inNamespace(store, 'two')];
    for (const each of [store, one, two]) await each.append('thing-1', [anEvent()], 'no_stream');
    for (const each of [one, two]) {
      deepEqual(await delivered(each, ['thing-']), ['thing-1']);
      equal((await Array.fromAsync(each.read('thing-1'))).length, 1);
    }
    deepEqual(await delivered(store, ['thing-', 'one.', 'two.']), [
      'thing-1',
      'one.thing-1',
      'two.thing-1',
    ]);
  });

  test('pass on from where and for how long a stream is read', async () => {
    const asked: unknown[] = [];
    const store = shared();
    const { signal } = new AbortController();
    const one = inNamespace(
      {
        ...store,
        read(...given) {
          asked.push(given);
          return store.read(...given);
        },
      },
      'one',
    );
    await Array.fromAsync(one.read('thing-1', 3n, signal));
    deepEqual(asked, [['one.thing-1', 3n, signal]]);
  });

  test('tell where the log ends by their own names, and by whole names where it is another', async () => {
    const store = shared();
    const one = inNamespace(store, 'one');
    const { position } = await one.append('thing-1', [anEvent()], 'any');
    equal((await one.eventAt(position))?.stream, 'thing-1');
    await inNamespace(store, 'two').append('thing-1', [anEvent()], 'any');
    equal((await one.end())?.stream, 'two.thing-1');
  });
});

describe('the name of a namespace', () => {
  test('is a word, so that the category of a stream still ends at its first "-"', () => {
    equal(streamOnDisk('sluice', 'apiKey-1'), 'sluice.apiKey-1');
    equal(streamOnDisk('', 'apiKey-1'), 'apiKey-1');
    for (const wrong of ['a-b', '$a', 'a.b', '1a', ' ', 'a'.repeat(33), 'a@b', 'ä'])
      throws(() => inNamespace(shared(), wrong), /is not a namespace/, wrong);
  });
});
