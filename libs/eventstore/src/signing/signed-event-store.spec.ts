import { deepEqual, equal, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  type EventMetadata,
  type EventStore,
  inMemoryEventStore,
  isOwnEvent,
  type RecordedEvent,
} from '@sluice/es';
import { beforeEach, describe, test } from 'vitest';
import { signedEventStore } from './signed-event-store.ts';

const installationStream = 'sluice.installation';
const key = 'k'.repeat(32);
let raw: EventStore;
beforeEach(() => {
  raw = inMemoryEventStore({ now: () => new Date(0) });
});
const withKey = (given: string | undefined) =>
  signedEventStore(raw, { key: given, installationStream });

function anEvent(type = 'Noted', data: object = { text: 'a', many: [1.5, null], 2: 'b', 1: 'c' }) {
  const metadata: EventMetadata = {
    schemaVersion: 1,
    occurredAt: '2026-01-01T00:00:00.000Z',
    commandId: randomUUID(),
    actor: { type: 'system', id: 'spec' },
    requestId: 'req-1',
    $correlationId: 'req-1',
    $causationId: 'req-1',
  };
  return { id: randomUUID(), type, data, metadata };
}
const name = async (store: EventStore) =>
  await store.append(installationStream, [anEvent('InstallationNamed')], 'no_stream');
const kindsOf = async (store: EventStore, stream: string) =>
  (await Array.fromAsync(store.read(stream))).map((event) => event.leftOut ?? isOwnEvent(event));
const copy = ({ type, data, metadata }: RecordedEvent) => ({
  id: randomUUID(),
  type,
  data: data as object,
  metadata: metadata as EventMetadata,
});

describe('an installation that began with a key', () => {
  let store: EventStore;
  beforeEach(async () => {
    store = withKey(key);
    await name(store);
    await store.append('thing-1', [anEvent(), anEvent()], 'no_stream');
    await store.append('thing-1', [anEvent()], 1n);
    await store.append('thing-any', [anEvent()], 'any');
  });

  test('knows its own events, also in another process', async () => {
    for (const each of [store, withKey(key)]) {
      deepEqual(await kindsOf(each, 'thing-1'), [true, true, true]);
      deepEqual(await kindsOf(each, 'thing-any'), [true]);
    }
  });

  test('takes an unsigned event of its form for forged, in a read and in a subscription', async () => {
    await raw.append('thing-1', [anEvent()], 'any');
    deepEqual(await kindsOf(store, 'thing-1'), [true, true, true, 'forged']);
    const stopping = new AbortController();
    const forged: string[] = [];
    const subscription = { after: 'start', streamPrefixes: ['thing-'] } as const;
    for await (const batch of store.subscribe({ ...subscription, signal: stopping.signal })) {
      for (const message of batch)
        if (message.kind === 'event' && message.event.leftOut) forged.push(message.event.stream);
      if (batch.some(({ kind }) => kind === 'caught_up')) stopping.abort();
    }
    deepEqual(forged, ['thing-1']);
  });

  test.each([
    ['a copy in another stream', (event: RecordedEvent) => ['thing-2', copy(event)] as const],
    ['a copy later in its stream', (event: RecordedEvent) => ['thing-1', copy(event)] as const],
    [
      'the same id later in its stream',
      (event: RecordedEvent) => ['thing-1', { ...copy(event), id: event.id }] as const,
    ],
    [
      'other data',
      (event: RecordedEvent) => ['thing-1', { ...copy(event), data: { text: 'b' } }] as const,
    ],
    [
      'another type',
      (event: RecordedEvent) => ['thing-1', { ...copy(event), type: 'Erased' }] as const,
    ],
    [
      'a signature that is none',
      () =>
        ['thing-1', { ...anEvent(), metadata: { ...anEvent().metadata, signature: 'x' } }] as const,
    ],
  ])('takes for forged: %s', async (_name, forge) => {
    const [first] = await Array.fromAsync(raw.read('thing-1'));
    const [stream, event] = forge(first as RecordedEvent);
    // The id is new to the double, which otherwise recognizes the append.
    await raw.append(stream, [anEvent(), event], 'any');
    equal((await kindsOf(store, stream)).at(-1), 'forged');
  });

  test('is not served with another key, and takes nothing from a process without one', async () => {
    const message = /another key/;
    await rejects(Array.fromAsync(withKey('o'.repeat(32)).read('thing-1')), message);
    await rejects(withKey(undefined).append('thing-1', [anEvent()], 'any'), message);
    const foreign = { ...anEvent(), metadata: {} as EventMetadata };
    await withKey(undefined).append('thing-1', [foreign], 'any');
    deepEqual(await kindsOf(store, 'thing-1'), [true, true, true, false]);
  });
});

describe('an installation from before', () => {
  test('takes unsigned events until signatures are required, and wrong ones never', async () => {
    const before = withKey(undefined);
    await name(before);
    await before.append('thing-1', [anEvent()], 'no_stream');
    const store = withKey(key);
    await store.append('thing-1', [anEvent()], 0n);
    await raw.append('thing-1', [anEvent()], 'any');
    const [, signed] = await Array.fromAsync(raw.read('thing-1'));
    await raw.append('thing-1', [copy(signed as RecordedEvent)], 'any');
    deepEqual(await kindsOf(store, 'thing-1'), [true, true, true, 'forged']);
    await store.append(installationStream, [anEvent('SignaturesRequired')], 'stream_exists');
    await raw.append('thing-1', [anEvent()], 'any');
    deepEqual(await kindsOf(store, 'thing-1'), [true, true, true, 'forged', 'forged']);
  });

  test('has a subscription without any read skip what comes after the requirement', async () => {
    await name(withKey(undefined));
    const store = withKey(key);
    const stopping = new AbortController();
    const subscription = { after: 'start', streamPrefixes: ['thing-'] } as const;
    const subscribed = store.subscribe({ ...subscription, signal: stopping.signal });
    const batches = subscribed[Symbol.asyncIterator]();
    const next = async () => {
      for (;;) {
        const { value = [], done = false } = await batches.next();
        if (done) return 'ended';
        for (const message of value)
          if (message.kind === 'event') return message.event.leftOut ?? 'taken';
      }
    };
    await raw.append('thing-1', [anEvent()], 'any');
    equal(await next(), 'taken');
    await withKey(key).append(installationStream, [anEvent('SignaturesRequired')], 'stream_exists');
    await raw.append('thing-1', [anEvent()], 'any');
    equal(await next(), 'forged');
    stopping.abort();
  });

  test('says whether a process lacks the key', async () => {
    await name(withKey(undefined));
    deepEqual(
      [await withKey(undefined).lacksEventKey(), await withKey(key).lacksEventKey()],
      [false, false],
    );
    await withKey(key).append(installationStream, [anEvent('SignaturesRequired')], 'stream_exists');
    deepEqual(
      [await withKey(undefined).lacksEventKey(), await withKey(key).lacksEventKey()],
      [true, false],
    );
  });

  test('does not require them because somebody else says so', async () => {
    await name(withKey(undefined));
    const store = withKey(key);
    await raw.append(installationStream, [anEvent('SignaturesRequired')], 'any');
    await raw.append('thing-1', [anEvent()], 'any');
    deepEqual(await kindsOf(store, 'thing-1'), [true]);
  });
});
