import { deepEqual, equal, ok } from 'node:assert/strict';
import {
  binaryEvent,
  END,
  eventTypeFilter,
  excludeSystemEvents,
  streamNameFilter,
  StreamDeletedError,
  type AllStreamSubscription,
  type Filter,
  type Position,
  type ResolvedEvent,
  type StreamSubscription,
} from '@eventstore/db-client';
import { describe, test } from 'vitest';
import { embeddedNode, thing } from './testing/official-client.ts';

/** Records the events of a client's subscription in order: numbers, and names of other messages. */
function watch(subscription: AllStreamSubscription | StreamSubscription) {
  const seen: unknown[] = [];
  let look = () => {};
  const note = (what: unknown) => {
    seen.push(what);
    look();
  };
  const noteEvent = ({ event }: ResolvedEvent) =>
    note((event?.data as { n?: unknown } | undefined)?.n ?? event?.type);
  // Both kinds are the same class; their types differ in what they say about events.
  (subscription as AllStreamSubscription).on('data', noteEvent);
  subscription.on('confirmation', () => note('confirmation'));
  subscription.on('caughtUp', () => note('caughtUp'));
  subscription.on('error', (error: Error) => note(error));
  return {
    seen,
    async until(isSo: (seen: readonly unknown[]) => boolean): Promise<void> {
      if (isSo(seen)) return;
      await new Promise<void>((resolve) => {
        look = () => isSo(seen) && resolve();
      });
    },
    stop: () => subscription.unsubscribe(),
  };
}

const caughtUp = (seen: readonly unknown[]) => seen.includes('caughtUp');
const after = (count: number) => (seen: readonly unknown[]) => seen.length >= count;

describe('the official client, subscribed to a stream', () => {
  test('receives first that it is subscribed, then the past, then the present', async () => {
    const { client } = await embeddedNode();
    await client.appendToStream('thing-0', [thing(0), thing(1)]);
    const watched = watch(client.subscribeToStream('thing-0'));
    await watched.until(caughtUp);
    await client.appendToStream('thing-1', thing('other'));
    await client.appendToStream('thing-0', thing(2));
    await watched.until(after(5));
    await watched.stop();
    deepEqual(watched.seen, ['confirmation', 0, 1, 'caughtUp', 2]);
  });

  test('starts behind the revision that it names, or at the end', async () => {
    const { client } = await embeddedNode();
    await client.appendToStream('thing-0', [thing(0), thing(1)]);
    const behind = watch(client.subscribeToStream('thing-0', { fromRevision: 0n }));
    const live = watch(client.subscribeToStream('thing-0', { fromRevision: END }));
    await Promise.all([behind.until(caughtUp), live.until(caughtUp)]);
    await client.appendToStream('thing-0', thing(2));
    await Promise.all([behind.until(after(4)), live.until(after(3))]);
    await Promise.all([behind.stop(), live.stop()]);
    deepEqual(behind.seen, ['confirmation', 1, 'caughtUp', 2]);
    deepEqual(live.seen, ['confirmation', 'caughtUp', 2]);
  });

  test('may wait for one that does not exist, and is told when it is tombstoned', async () => {
    const { client } = await embeddedNode();
    const watched = watch(client.subscribeToStream('thing-0'));
    await watched.until(caughtUp);
    await client.appendToStream('thing-0', thing(0));
    await client.tombstoneStream('thing-0');
    await watched.until((seen) => seen.at(-1) instanceof Error);
    deepEqual(watched.seen.slice(0, -1), ['confirmation', 'caughtUp', 0, '$streamDeleted']);
    ok(watched.seen.at(-1) instanceof StreamDeletedError);
  });

  test('does not see what metadata hides', async () => {
    const { client } = await embeddedNode();
    await client.appendToStream('thing-0', [thing(0), thing(1), thing(2)]);
    await client.setStreamMetadata('thing-0', { maxCount: 1 });
    const watched = watch(client.subscribeToStream('thing-0'));
    await watched.until(caughtUp);
    await watched.stop();
    deepEqual(watched.seen, ['confirmation', 2, 'caughtUp']);
  });
});

describe('the official client, subscribed to $all', () => {
  test('sees everything, or what its filter lets through', async () => {
    const { client } = await embeddedNode();
    await client.appendToStream('thing-0', [thing(0, 'Made'), thing(1, 'Changed')]);
    await client.appendToStream('other-0', thing(2, 'Made'));
    await client.setStreamMetadata('thing-0', { maxCount: 5 });
    const seenWith = async (filter?: Filter) => {
      const watched = watch(client.subscribeToAll(filter ? { filter } : {}));
      await watched.until(caughtUp);
      await watched.stop();
      return watched.seen.slice(1, -1);
    };
    deepEqual(await seenWith(), [0, 1, 2, '$metadata']);
    deepEqual(await seenWith(excludeSystemEvents()), [0, 1, 2]);
    deepEqual(await seenWith(eventTypeFilter({ prefixes: ['Ma', 'X'] })), [0, 2]);
    deepEqual(await seenWith(eventTypeFilter({ regex: 'ged$' })), [1]);
    deepEqual(await seenWith(streamNameFilter({ prefixes: ['other-'] })), [2]);
    deepEqual(await seenWith(streamNameFilter({ regex: '^(thing|other)-[0-9]+$' })), [0, 1, 2]);
    deepEqual(await seenWith(streamNameFilter({ prefixes: ['none'] })), []);
  });

  test('gets checkpoints while nothing of its own comes, each behind the one before', async () => {
    const { client } = await embeddedNode();
    const checkpoints: Position[] = [];
    const filter = streamNameFilter({
      prefixes: ['none-'],
      maxSearchWindow: 10,
      checkpointInterval: 2,
      checkpointReached: (_subscription, position) => void checkpoints.push(position),
    });
    const things = [...Array(95).keys()].map((n) => thing(n));
    await client.appendToStream('thing-0', things);
    const watched = watch(client.subscribeToAll({ filter }));
    await watched.until(caughtUp);
    await watched.stop();
    const positions = (await Array.fromAsync(client.readAll())).map(({ event }) => event?.position);
    const expected = [19, 39, 59, 79, 94].map((ordinal) => positions[ordinal]);
    deepEqual(checkpoints, expected);
  });

  test('starts behind a position, or at the end', async () => {
    const { client } = await embeddedNode();
    const { position } = await client.appendToStream('thing-0', thing(0));
    await client.appendToStream('thing-0', thing(1));
    ok(position);
    const behind = watch(client.subscribeToAll({ fromPosition: position }));
    const live = watch(client.subscribeToAll({ fromPosition: END }));
    await Promise.all([behind.until(caughtUp), live.until(caughtUp)]);
    await client.appendToStream('thing-0', thing(2));
    await Promise.all([behind.until(after(4)), live.until(after(3))]);
    await Promise.all([behind.stop(), live.stop()]);
    deepEqual(behind.seen, ['confirmation', 1, 'caughtUp', 2]);
    deepEqual(live.seen, ['confirmation', 'caughtUp', 2]);
  });

  test('follows links when that is asked for', async () => {
    const { client } = await embeddedNode();
    await client.appendToStream('thing-0', thing(7));
    const link = binaryEvent({ type: '$>', data: Buffer.from('0@thing-0') });
    await client.appendToStream('links', link);
    const options = { filter: streamNameFilter({ prefixes: ['links'] }), resolveLinkTos: true };
    const watched = watch(client.subscribeToAll(options));
    await watched.until(caughtUp);
    await watched.stop();
    deepEqual(watched.seen, ['confirmation', 7, 'caughtUp']);
  });

  test('is refused a filter that is no regular expression', async () => {
    const { client } = await embeddedNode();
    const watched = watch(client.subscribeToAll({ filter: streamNameFilter({ regex: '(' }) }));
    await watched.until((seen) => seen[0] instanceof Error);
    equal((watched.seen[0] as { code?: number }).code, 3);
  });
});
