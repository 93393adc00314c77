import { deepEqual, equal, rejects } from 'node:assert/strict';
import { type EventStore, inMemoryEventStore } from '@sluice/es';
import { afterEach, describe, test, vi } from 'vitest';
import { appendTexts, textOf } from '../testing/things.ts';
import { eventsBehind } from './events-behind.ts';
import { readLog, type ReadLogOptions } from './read-log.ts';

const streamPrefixes = ['thing-'];
const { signal } = new AbortController();
afterEach(() => void vi.useRealTimers());

async function read(options: Partial<ReadLogOptions> & Pick<ReadLogOptions, 'eventStore'>) {
  const found: string[] = [];
  for await (const batch of readLog({ streamPrefixes, after: undefined, signal, ...options }))
    for (const message of batch)
      if (message.kind === 'event') found.push(textOf(message.event.data));
  return found;
}

describe('reading the log', () => {
  const filled = async () => {
    const eventStore = inMemoryEventStore({ now: () => new Date() });
    const first = await appendTexts(eventStore, 'thing-1', 'a', 'b');
    await appendTexts(eventStore, 'other-1', 'x');
    const second = await appendTexts(eventStore, 'thing-2', 'c');
    return { eventStore, first: first.position, second: second.position };
  };

  test('ends where the log ended when it began', async () => {
    const { eventStore } = await filled();
    deepEqual(await read({ eventStore }), ['a', 'b', 'c']);
    deepEqual(await read({ eventStore, streamPrefixes: ['nobody-'] }), []);
  });

  test('begins behind one position and ends at another, which it includes', async () => {
    const { eventStore, first, second } = await filled();
    deepEqual(await read({ eventStore, after: first }), ['c']);
    deepEqual(await read({ eventStore, until: first }), ['a', 'b']);
    deepEqual(await read({ eventStore, after: first, until: first }), []);
    deepEqual(await read({ eventStore, until: second }), ['a', 'b', 'c']);
  });

  test('gathers what comes in small pieces, and what is left at the end', async () => {
    const { eventStore } = await filled();
    const sizes: number[] = [];
    const inPieces: Pick<EventStore, 'subscribe'> = {
      async *subscribe(options) {
        for await (const batch of eventStore.subscribe(options))
          for (const message of batch)
            for (let copy = 0; copy < (message.kind === 'event' ? 300 : 1); copy++) yield [message];
      },
    };
    const log = readLog({ eventStore: inPieces, streamPrefixes, after: undefined, signal });
    for await (const batch of log) sizes.push(batch.length);
    // Three events 300 times, and the word that these were all.
    deepEqual(sizes, [512, 389]);
  });

  test('lets go of the subscription at its end', async () => {
    const { eventStore } = await filled();
    let closed = false;
    const watched: Pick<EventStore, 'subscribe'> = {
      async *subscribe(options) {
        try {
          yield* eventStore.subscribe(options);
        } finally {
          closed = true;
        }
      },
    };
    await read({ eventStore: watched });
    equal(closed, true);
  });

  test('ends with the reason of whoever stops it', async () => {
    const { eventStore } = await filled();
    const stopping = AbortSignal.abort(new Error('enough'));
    await rejects(read({ eventStore, signal: stopping }), /enough/);
  });

  test('waits 15 s for an event store that says nothing, and no longer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const silent: Pick<EventStore, 'subscribe'> = {
      subscribe: (options) => ({
        [Symbol.asyncIterator]: () => ({
          next: () =>
            new Promise((resolve) => {
              const end = () => resolve({ done: true, value: undefined });
              options.signal.addEventListener('abort', end);
            }),
        }),
      }),
    };
    const failures: unknown[] = [];
    const reading = read({ eventStore: silent }).catch((error: unknown) => failures.push(error));
    await vi.advanceTimersByTimeAsync(14_999);
    equal(failures.length, 0);
    await vi.advanceTimersByTimeAsync(1);
    await reading;
    equal((failures[0] as { code?: string }).code, 'event_store_unavailable');
  });
});

describe('counting what lies behind a position', () => {
  test('counts the events of the streams, up to a bound', async () => {
    const eventStore = inMemoryEventStore({ now: () => new Date() });
    const { position } = await appendTexts(eventStore, 'thing-1', 'a');
    await appendTexts(eventStore, 'thing-1', 'b', 'c', 'd');
    await appendTexts(eventStore, 'other-1', 'x');
    const options = { eventStore, streamPrefixes, signal };
    equal(await eventsBehind({ ...options, after: undefined }, 100), 4);
    equal(await eventsBehind({ ...options, after: position }, 100), 3);
    equal(await eventsBehind({ ...options, after: position }, 2), 2);
  });
});
