import { deepEqual, equal, ok } from 'node:assert/strict';
import {
  BACKWARDS,
  binaryEvent,
  END,
  FORWARDS,
  NO_STREAM,
  persistentSubscriptionToStreamSettingsFromDefaults,
  START,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
  type EventStoreDBClient,
} from '@eventstore/db-client';
import { describe, test } from 'vitest';
import { clientOf, embeddedNode, thing } from './testing/official-client.ts';

async function withThings(count: number) {
  const node = await embeddedNode();
  for (let n = 0; n < count; n++) await node.client.appendToStream(`thing-${n % 2}`, thing(n));
  return node;
}

type ReadOptions = Parameters<EventStoreDBClient['readStream']>[1];

async function numbersOf(client: EventStoreDBClient, stream: string, options: ReadOptions = {}) {
  const events = await Array.fromAsync(client.readStream(stream, options));
  return events.map(({ event }) => (event?.data as { n?: unknown } | undefined)?.n);
}

async function thrown(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('the official client, reading a stream', () => {
  test('goes both ways, from where it says, as far as it says', async () => {
    const { client } = await withThings(10);
    const read = async (options: ReadOptions) => await numbersOf(client, 'thing-0', options);
    deepEqual(await read({}), [0, 2, 4, 6, 8]);
    deepEqual(await read({ fromRevision: 3n }), [6, 8]);
    deepEqual(await read({ fromRevision: 1n, maxCount: 2 }), [2, 4]);
    deepEqual(await read({ fromRevision: 9n }), []);
    deepEqual(await read({ direction: BACKWARDS, fromRevision: END }), [8, 6, 4, 2, 0]);
    deepEqual(await read({ direction: BACKWARDS, fromRevision: 2n }), [4, 2, 0]);
    deepEqual(await read({ direction: BACKWARDS, fromRevision: 99n, maxCount: 1 }), [8]);
    deepEqual(await read({ direction: BACKWARDS, fromRevision: START }), [0]);
    const behindTheEnd = await thrown(read({ direction: FORWARDS, fromRevision: END }));
    ok(behindTheEnd instanceof Error, String(behindTheEnd));
  });

  test('is told that there is none, that it was deleted, or that it was tombstoned', async () => {
    const { client } = await withThings(2);
    ok((await thrown(numbersOf(client, 'none'))) instanceof StreamNotFoundError);
    await client.deleteStream('thing-0');
    ok((await thrown(numbersOf(client, 'thing-0'))) instanceof StreamNotFoundError);
    await client.tombstoneStream('thing-1');
    const error = await thrown(numbersOf(client, 'thing-1'));
    ok(error instanceof StreamDeletedError);
    equal(error.streamName, 'thing-1');
  });

  test('gets time, revision and position of each event', async () => {
    const { client } = await withThings(4);
    const before = Date.now();
    await client.appendToStream('thing-0', thing(4));
    const events = await Array.fromAsync(client.readStream('thing-0'));
    const last = events.at(-1)?.event;
    ok(last && last.created.getTime() >= before && last.created.getTime() <= Date.now());
    deepEqual(
      events.map(({ event }) => event?.revision),
      [0n, 1n, 2n],
    );
    const positions = events.map(({ event }) => event?.position?.commit ?? 0n);
    ok(
      positions.every((position, index) => index === 0 || position > (positions[index - 1] ?? 0n)),
    );
  });
});

describe('the official client, reading $all', () => {
  const typesOf = async (client: EventStoreDBClient, options: object) => {
    const events = await Array.fromAsync(client.readAll(options));
    return events.map(
      ({ event }) => (event?.data as { n?: unknown } | undefined)?.n ?? event?.type,
    );
  };

  test('goes both ways from a position: with it forwards, without it backwards', async () => {
    const { client } = await withThings(6);
    const events = await Array.fromAsync(client.readAll());
    const third = events[2]?.event?.position;
    ok(third);
    deepEqual(await typesOf(client, {}), [0, 1, 2, 3, 4, 5]);
    deepEqual(await typesOf(client, { fromPosition: third, maxCount: 2 }), [2, 3]);
    deepEqual(await typesOf(client, { direction: BACKWARDS, fromPosition: third }), [1, 0]);
    const backwards = { direction: BACKWARDS, fromPosition: END, maxCount: 2 };
    deepEqual(await typesOf(client, backwards), [5, 4]);
    deepEqual(await typesOf(client, { direction: BACKWARDS, fromPosition: START }), []);
    deepEqual(await typesOf(client, { fromPosition: END }), []);
  });

  test('sees metadata and tombstones as well, and what is hidden from its stream', async () => {
    const { client } = await withThings(3);
    await client.setStreamMetadata('thing-0', { maxCount: 1 });
    await client.tombstoneStream('thing-1');
    deepEqual(await typesOf(client, {}), [0, 1, 2, '$metadata', '$streamDeleted']);
  });
});

describe('the official client, with metadata', () => {
  test('reads what it has set, and none where none is', async () => {
    const { client } = await withThings(2);
    const metadata = {
      maxCount: 3,
      maxAge: 60,
      truncateBefore: 1,
      acl: { readRoles: ['$admins'] },
    };
    await client.setStreamMetadata('thing-0', metadata, { expectedRevision: NO_STREAM });
    const read = await client.getStreamMetadata('thing-0');
    equal(read.metadata?.maxCount, 3);
    equal(read.metadata?.maxAge, 60);
    deepEqual(read.metadata?.acl?.readRoles, ['$admins']);
    equal((await client.getStreamMetadata('thing-1')).metadata, undefined);
    deepEqual(await numbersOf(client, 'thing-0'), []);
  });
});

describe('the official client, deleting', () => {
  test('is told when its expectation was wrong', async () => {
    const { client } = await withThings(4);
    for (const remove of ['deleteStream', 'tombstoneStream'] as const) {
      const error = await thrown(client[remove]('thing-0', { expectedRevision: 0n }));
      ok(error instanceof WrongExpectedVersionError, String(error));
      deepEqual(
        [error.streamName, error.expectedVersion, error.actualVersion],
        ['thing-0', 0n, 1n],
      );
    }
    ok((await thrown(client.deleteStream('none'))) instanceof WrongExpectedVersionError);
  });

  test('is told where the deletion lies', async () => {
    const { client } = await withThings(4);
    const last = (await Array.fromAsync(client.readAll())).at(-1)?.event?.position?.commit ?? 0n;
    const deleted = await client.deleteStream('thing-0', { expectedRevision: 1n });
    const tombstoned = await client.tombstoneStream('thing-1');
    ok((deleted.position?.commit ?? 0n) > last);
    ok((tombstoned.position?.commit ?? 0n) > (deleted.position?.commit ?? 0n));
  });
});

describe('links', () => {
  const link = (target: string) => binaryEvent({ type: '$>', data: Buffer.from(target) });

  test('lead to their events when that is asked for, and to nothing when those are gone', async () => {
    const { client } = await withThings(4);
    await client.appendToStream('links', [link('1@thing-0'), link('0@thing-1'), link('7@thing-1')]);
    await client.deleteStream('thing-1');
    const resolved = await Array.fromAsync(client.readStream('links', { resolveLinkTos: true }));
    deepEqual(
      resolved.map(({ event, link: by }) => [event?.streamId, event?.revision, by?.streamId]),
      [
        ['thing-0', 1n, 'links'],
        [undefined, undefined, 'links'],
        [undefined, undefined, 'links'],
      ],
    );
    const plain = await Array.fromAsync(client.readStream('links'));
    deepEqual(
      plain.map(({ event, link: by }) => [event?.type, by]),
      [
        ['$>', undefined],
        ['$>', undefined],
        ['$>', undefined],
      ],
    );
  });
});

describe('what is not served', () => {
  test('is refused and never faked', async () => {
    const { client } = await embeddedNode();
    const settings = persistentSubscriptionToStreamSettingsFromDefaults();
    for (const call of [
      client.createPersistentSubscriptionToStream('thing-0', 'group', settings),
      client.createProjection('name', 'fromAll()'),
      client.listProjections(),
    ]) {
      const error = await thrown(call);
      ok(error instanceof Error);
    }
  });
});

describe('discovery', () => {
  test('finds the node by its gossip', async () => {
    const { url } = await embeddedNode();
    const client = clientOf(url.replace('esdb:', 'esdb+discover:'));
    equal((await client.appendToStream('thing-0', thing())).success, true);
  });
});
