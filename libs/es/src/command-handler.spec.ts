import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Fault, isRejection } from '@sluice/errors';
import { Type } from 'typebox';
import { describe, test } from 'vitest';
import {
  type CommandContext,
  type CommandHandlerOptions,
  commandHandler,
  type Decider,
  eventCodec,
  type EventOf,
  type EventStore,
  inMemoryEventStore,
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
  decide: ({ by }, sum) => {
    if (by === 0) return [];
    if (sum + by > 10) return { rejected: 'conflict', message: 'more than 10' };
    return [{ type: 'Counted', data: { by } }];
  },
};
const codec = eventCodec(counts);

function fixture(
  store: EventStore = inMemoryEventStore({ now: () => new Date(0) }),
  more: Pick<CommandHandlerOptions<{ by: number }, number>, 'known'> = {},
) {
  const eventId = (commandId: string, index: number) => `${commandId}-${index}`;
  const pauses: number[] = [];
  const retryPause = async (conflicts: number) => void pauses.push(conflicts);
  const handle = commandHandler(counter, codec, { store, eventId, retryPause, ...more });
  const count = (by: number, more: Partial<CommandContext> = {}) =>
    handle(
      '1',
      { by },
      {
        commandId: randomUUID(),
        occurredAt: '2026-01-01T00:00:00.000Z',
        actor: { type: 'system', id: 'spec' },
        requestId: 'req-1',
        ...more,
      },
    );
  const stored = async () => await Array.fromAsync(store.read('counter-1'));
  return { store, count, stored, pauses };
}

describe('handling a command', () => {
  test('appends the facts and answers with the state they make', async () => {
    const { count, stored } = fixture();
    await count(2);
    const handled = await count(3);
    ok(!isRejection(handled));
    deepEqual([handled.state, handled.revision, handled.events.length], [5, 1n, 1]);
    equal((await stored()).length, 2);
  });

  test('writes nothing when it is already so, or when the answer is no', async () => {
    const { count, stored } = fixture();
    const nothing = await count(0);
    ok(!isRejection(nothing));
    equal(nothing.position, undefined);
    const no = await count(11);
    ok(isRejection(no));
    equal(no.rejected, 'conflict');
    deepEqual(await stored(), []);
  });

  test('carries out the same command id once', async () => {
    const { count, stored } = fixture();
    const commandId = randomUUID();
    await count(2, { commandId });
    await count(1);
    const again = await count(2, { commandId });
    ok(!isRejection(again));
    deepEqual([again.state, again.events.length], [3, 0]);
    equal((await stored()).length, 2);
  });

  test('writes nothing for a caller that has given up while the stream was read', async () => {
    const inner = inMemoryEventStore({ now: () => new Date(0) });
    const caller = new AbortController();
    const { count, stored } = fixture({
      ...inner,
      async *read(stream, from) {
        yield* inner.read(stream, from);
        caller.abort();
      },
    });
    await rejects(count(1, { signal: caller.signal }), { code: 'unavailable' });
    deepEqual(await stored(), []);
  });

  test('says that the store is away to those who have waited behind one that found it so', async () => {
    const inner = inMemoryEventStore({ now: () => new Date(0) });
    const caller = new AbortController();
    let isAway = true;
    const { count, stored } = fixture({
      ...inner,
      async *read(stream, from, signal) {
        if (!isAway) return yield* inner.read(stream, from, signal);
        await new Promise((resolve) => signal?.addEventListener('abort', resolve));
        throw new Fault('event_store_unavailable', { retryAfterSeconds: 1 });
      },
    });
    const counting = Array.from({ length: 3 }, () => count(1, { signal: caller.signal }));
    const told = Promise.all(
      counting.map((one) =>
        rejects(one, { code: 'event_store_unavailable', retryAfterSeconds: 1 }),
      ),
    );
    await new Promise((resolve) => setImmediate(resolve));
    caller.abort();
    await told;
    isAway = false;
    ok(!isRejection(await count(1)));
    equal((await stored()).length, 1);
  });

  test('says who, why and when in the metadata of each event', async () => {
    const { count, stored } = fixture();
    const commandId = randomUUID();
    await count(1, { commandId });
    deepEqual((await stored())[0]?.metadata, {
      schemaVersion: 1,
      occurredAt: '2026-01-01T00:00:00.000Z',
      commandId,
      actor: { type: 'system', id: 'spec' },
      requestId: 'req-1',
      $correlationId: 'req-1',
      $causationId: commandId,
    });
  });

  test('says where the command came from when that is known', async () => {
    const { count, stored } = fixture();
    const from = { clientIp: '2001:db8::1', userAgent: 'curl/8.5.0' };
    await count(1, from);
    const metadata = (await stored())[0]?.metadata as typeof from | undefined;
    deepEqual({ clientIp: metadata?.clientIp, userAgent: metadata?.userAgent }, from);
  });
});

describe('a revision conflict', () => {
  /** A store where somebody else writes just before each of the first appends. */
  function contested(times: number, by = 1, onConflict = () => {}) {
    const inner = inMemoryEventStore({ now: () => new Date(0) });
    let left = times;
    const store: EventStore = {
      ...inner,
      async append(stream, events, expected) {
        const [first] = events;
        if (first && left-- > 0) {
          const metadata = { ...first.metadata, commandId: randomUUID() };
          const data = { by };
          await inner.append(stream, [{ ...first, id: randomUUID(), data, metadata }], 'any');
          onConflict();
        }
        return await inner.append(stream, events, expected);
      },
    };
    return fixture(store);
  }

  test('is decided again on the newer state, after a pause each time', async () => {
    const { count, stored, pauses } = contested(3);
    const handled = await count(1);
    ok(!isRejection(handled));
    equal(handled.state, 4);
    equal((await stored()).length, 4);
    deepEqual(pauses, [1, 2, 3]);
  });

  test('is given up after the 32nd', async () => {
    const { count, pauses } = contested(32, 0);
    await rejects(count(1), { code: 'revision_conflict' });
    equal(pauses.length, 31);
    ok(!isRejection(await contested(31, 0).count(1)));
  });

  test('is given up when the caller has given up', async () => {
    const caller = new AbortController();
    const { count, stored } = contested(1, 0, () => caller.abort());
    await rejects(count(1, { signal: caller.signal }), { code: 'unavailable' });
    equal((await stored()).length, 1);
  });

  test('is the caller’s when the caller chose the revision', async () => {
    const { count } = fixture();
    await count(1);
    await rejects(count(1, { expectedRevision: 5n }), (error: unknown) => error instanceof Fault);
    ok(!isRejection(await count(1, { expectedRevision: 0n })));
  });
});

describe('commands at once', () => {
  const indices = Array.from({ length: 20 }, (_, index) => index);

  /** Events that several handlers add to one stream, with a store that is slower than they are. */
  async function countedBy(handlers: number) {
    const inner = inMemoryEventStore({ now: () => new Date(0) });
    const stores = Array.from({ length: handlers }, (): EventStore => ({ ...inner }));
    const fixtures = stores.map((store) => fixture(store));
    const answers = await Promise.all(
      fixtures.flatMap(({ count }) => indices.map((index) => count(index % 2 === 0 ? 1 : -1))),
    );
    const pauses = fixtures.flatMap((each) => each.pauses).length;
    return { answers, pauses, stored: (await Array.fromAsync(inner.read('counter-1'))).length };
  }

  test('on one stream succeed without a conflict in one process', async () => {
    const { answers, pauses, stored } = await countedBy(1);
    ok(answers.every((answer) => !isRejection(answer)));
    deepEqual([stored, pauses], [20, 0]);
  });

  test('on one stream succeed in two processes', async () => {
    const { answers, stored } = await countedBy(2);
    ok(answers.every((answer) => !isRejection(answer)));
    equal(stored, 40);
  });

  test('share the queue of a stream, whichever handler they come by', async () => {
    const store = inMemoryEventStore({ now: () => new Date(0) });
    const [one, other] = [fixture(store), fixture(store)];
    const by = (index: number) => (index % 2 === 0 ? one : other);
    await Promise.all(indices.map((index) => by(index).count(index % 2 === 0 ? 1 : -1)));
    deepEqual([one.pauses, other.pauses], [[], []]);
    equal((await one.stored()).length, 20);
  });

  test('that came together read their stream once, however many are refused', async () => {
    const inner = inMemoryEventStore({ now: () => new Date(0) });
    const reads = new Map<string, number>();
    const { count, stored } = fixture({
      ...inner,
      read(stream, from) {
        reads.set(stream, (reads.get(stream) ?? 0) + 1);
        return inner.read(stream, from);
      },
    });
    const commandId = randomUUID();
    const once = () => count(6, { commandId });
    const answers = await Promise.all([
      once(),
      ...indices.map(() => count(6)),
      once(),
      count(1, { expectedRevision: 0n }),
    ]);
    deepEqual(
      answers.map((answer) => (isRejection(answer) ? 'refused' : answer.state)),
      [6, ...indices.map(() => 'refused'), 6, 7],
    );
    // And its metadata once, since it has not begun.
    deepEqual([...reads.values()], [1, 1]);
    equal((await stored()).length, 2);
  });

  test('that came after another process wrote see what it wrote', async () => {
    const inner = inMemoryEventStore({ now: () => new Date(0) });
    const [here, there] = [fixture({ ...inner }), fixture({ ...inner })];
    const first = here.count(1);
    const [second] = [await there.count(2), await first];
    ok(!isRejection(second));
    const third = await here.count(0);
    ok(!isRejection(third));
    equal(third.state, 3);
  });

  test('of a caller that has given up while they waited write nothing', async () => {
    const { count, stored } = fixture();
    const caller = new AbortController();
    const first = count(1);
    const second = count(1, { signal: caller.signal });
    caller.abort();
    await Promise.all([first, rejects(second, { code: 'unavailable' })]);
    equal((await stored()).length, 1);
  });
});

describe('a command on a stream whose state is known up to an event', () => {
  function known(state: number, revision: bigint) {
    const inner = inMemoryEventStore({ now: () => new Date(0) });
    const reads: (bigint | undefined)[] = [];
    const store: EventStore = {
      ...inner,
      read(stream, from, signal) {
        if (stream === 'counter-1') reads.push(from);
        return inner.read(stream, from, signal);
      },
    };
    return {
      reads,
      before: fixture(inner),
      ...fixture(store, { known: async () => ({ state, revision }) }),
    };
  }

  test('reads that event and those after it', async () => {
    const { before, count, reads } = known(3, 1n);
    for (const by of [1, 2, 4]) await before.count(by);
    const handled = await count(1);
    ok(!isRejection(handled));
    deepEqual([handled.state, handled.revision, reads], [8, 3n, [1n]]);
    ok(isRejection(await count(5)));
  });

  test('that was handled by a later event writes nothing', async () => {
    const { before, count } = known(1, 0n);
    const commandId = randomUUID();
    await before.count(1);
    await before.count(2, { commandId });
    const handled = await count(2, { commandId });
    ok(!isRejection(handled));
    deepEqual([handled.state, handled.handledBefore], [3, true]);
  });

  test('reads all events if the stream does not have that one', async () => {
    const { before, count, reads } = known(9, 5n);
    await before.count(1);
    const handled = await count(1);
    ok(!isRejection(handled));
    deepEqual([handled.state, reads], [2, [5n, undefined]]);
  });
});
