import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'vitest';
import {
  comparePositions,
  type EventStore,
  type EventToAppend,
  type Position,
  type RecordedEvent,
} from '../event-store.ts';
import { goneStreamOf, metastreamOf } from '../gone-stream.ts';

export interface EventStoreContractOptions {
  readonly name: string;
  /** Called once, before the first test; the same store serves all of them. */
  readonly open: () => Promise<EventStore>;
}

/** Checks an implementation of the port. Streams have random names, because the store may hold others. */
export function eventStoreContract({ name, open }: EventStoreContractOptions): void {
  let opened: Promise<EventStore> | undefined;
  const store = () => (opened ??= open());

  describe(`${name}: appending`, () => {
    test('numbers events from 0 and gives them back as written', async () => {
      const { append, read, stream } = await fixture(store);
      const events = [anEvent({ n: 1 }), anEvent({ text: 'ü – ✓', nested: { list: [1, null] } })];
      const appended = await append(events, 'no_stream');
      equal(appended.revision, 1n);
      const recorded = await read();
      deepEqual(
        recorded.map(({ id, type, data, metadata }) => ({ id, type, data, metadata })),
        events,
      );
      deepEqual(
        recorded.map((event) => [event.stream, event.revision]),
        [
          [stream, 0n],
          [stream, 1n],
        ],
      );
      deepEqual(recorded.at(-1)?.position, appended.position);
    });

    test('refuses a revision that the stream is not at, and writes nothing', async () => {
      const { append, read } = await fixture(store);
      await append([anEvent()], 'no_stream');
      await rejects(append([anEvent()], 'no_stream'), { code: 'revision_conflict' });
      await rejects(append([anEvent()], 3n), { code: 'revision_conflict' });
      equal((await read()).length, 1);
      equal((await append([anEvent()], 0n)).revision, 1n);
    });

    test('refuses to write to a stream that must exist and does not', async () => {
      const { append } = await fixture(store);
      await rejects(append([anEvent()], 'stream_exists'), { code: 'revision_conflict' });
    });

    test('lets exactly one of two writers at the same revision win', async () => {
      const { append, read } = await fixture(store);
      const outcomes = await Promise.allSettled([
        append([anEvent()], 'no_stream'),
        append([anEvent()], 'no_stream'),
      ]);
      deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
      equal((await read()).length, 1);
    });

    test('writes nothing for a caller that has given up', async () => {
      const { append, read } = await fixture(store);
      await rejects(append([anEvent()], 'no_stream', AbortSignal.abort()), { code: 'unavailable' });
      deepEqual(await read(), []);
    });

    test('answers the same for the same events again, and writes them once', async () => {
      const { append, read } = await fixture(store);
      const events = [anEvent(), anEvent()];
      const first = await append(events, 'no_stream');
      deepEqual(await append(events, 'no_stream'), first);
      await append([anEvent()], 1n);
      deepEqual(await append(events, 'no_stream'), first);
      equal((await read()).length, 3);
    });
  });

  describe(`${name}: reading`, () => {
    test('gives nothing for a stream that does not exist', async () => {
      const { read } = await fixture(store);
      deepEqual(await read(), []);
    });

    test('starts at the revision asked for', async () => {
      const { append, read } = await fixture(store);
      await append([anEvent(), anEvent(), anEvent()], 'no_stream');
      deepEqual(
        (await read(1n)).map(({ revision }) => revision),
        [1n, 2n],
      );
    });
  });

  describe(`${name}: looking at single places of the log`, () => {
    test('names the last event of the log, and each event where it lies', async () => {
      const { append, read, stream } = await fixture(store);
      await append([anEvent(), anEvent(), anEvent()], 'no_stream');
      for (const { id, type, position } of await read())
        deepEqual(await (await store()).eventAt(position), { id, type, stream, position });
      const { position } = (await read()).at(-1) as RecordedEvent;
      const end = await (await store()).end();
      ok(end && comparePositions(end.position, position) >= 0, 'the end lies before the event');
      deepEqual(await (await store()).eventAt(end.position), end);
    });

    test('finds no event between two, nor beyond the end', async () => {
      const { append, read } = await fixture(store);
      await append([anEvent(), anEvent()], 'no_stream');
      const { commit, prepare } = positionAt(await read(), 0);
      for (const apart of [1n, 2n, 7n])
        equal(await eventAt({ commit: commit + apart, prepare: prepare + apart }), undefined);
      const end = await (await store()).end();
      for (const apart of [1n, 1_000n, 2n ** 40n])
        equal(await eventAt(beyond(end?.position, apart)), undefined);
      equal(await eventAt({ commit: commit + 1n, prepare: commit + 9n }), undefined);
    });

    async function eventAt(position: Position) {
      return await (await store()).eventAt(position);
    }
  });

  describe(`${name}: subscribing`, () => {
    test('catches up in log order, says so, then delivers live', async () => {
      const { append, subscribe } = await fixture(store);
      await append([anEvent({ n: 0 }), anEvent({ n: 1 })], 'no_stream');
      const seen = subscribe('start');
      await seen.until(2);
      await append([anEvent({ n: 2 })], 1n);
      const events = await seen.until(3);
      await seen.stop();
      deepEqual(
        events.map(({ data }) => data),
        [{ n: 0 }, { n: 1 }, { n: 2 }],
      );
      ok(seen.caughtUp(), 'no caught_up message came');
      for (let index = 1; index < events.length; index++)
        equal(comparePositions(positionAt(events, index - 1), positionAt(events, index)), -1);
    });

    test('continues behind a position, without it', async () => {
      const { append, subscribe } = await fixture(store);
      const { position } = await append([anEvent({ n: 0 })], 'no_stream');
      await append([anEvent({ n: 1 })], 0n);
      const seen = subscribe(position);
      const events = await seen.until(1);
      await seen.stop();
      deepEqual(
        events.map(({ data }) => data),
        [{ n: 1 }],
      );
    });
  });

  describe(`${name}: metadata of a stream`, () => {
    const hides = [
      ['$tb', { $tb: 1 }, [1n, 2n]],
      ['$tb beyond the end', { $tb: 1_000_000 }, []],
      ['$maxCount', { $maxCount: 1 }, [2n]],
    ] as const;
    test.each(hides)('hides events by %s', async (_name, data, shown) => {
      const { append, read, setMetadata } = await fixture(store);
      await append([anEvent(), anEvent(), anEvent()], 'no_stream');
      await setMetadata(data);
      deepEqual(
        (await read()).map(({ revision }) => revision),
        shown,
      );
    });

    test('is read from a stream of its own, by its name', async () => {
      const { append, stream, setMetadata } = await fixture(store);
      await append([anEvent()], 'no_stream');
      const metastream = metastreamOf(stream);
      deepEqual(await Array.fromAsync((await store()).read(metastream)), []);
      await setMetadata({ $tb: 0 });
      await setMetadata({ $tb: 1 });
      const last = (await Array.fromAsync((await store()).read(metastream))).at(-1);
      deepEqual([last?.stream, last?.data], [metastream, { $tb: 1 }]);
    });

    test('is delivered in log order to a subscription that names such streams', async () => {
      const { append, stream, subscribe, setMetadata } = await fixture(store);
      await append([anEvent({ n: 0 }), anEvent({ n: 1 })], 'no_stream');
      const [plain, seen] = [subscribe('start'), subscribe('start', metastreamOf)];
      await seen.until(2);
      await setMetadata({ $tb: 1 });
      await append([anEvent({ n: 2 })], 1n);
      const named = (all: readonly RecordedEvent[]) =>
        all.map(({ stream, data }) => [stream, data]);
      const events = await seen.until(4);
      deepEqual(named(events.slice(2)), [
        [metastreamOf(stream), { $tb: 1 }],
        [stream, { n: 2 }],
      ]);
      equal(goneStreamOf(events[2] as RecordedEvent), stream);
      const others = await plain.until(3);
      await Promise.all([plain.stop(), seen.stop()]);
      ok(others.every((event) => event.stream === stream));
    });
  });
}

function beyond(end: Position | undefined, apart: bigint): Position {
  return { commit: (end?.commit ?? 0n) + apart, prepare: (end?.prepare ?? 0n) + apart };
}

function positionAt(events: readonly RecordedEvent[], index: number): Position {
  return (events[index] as RecordedEvent).position;
}

function anEvent(data: object = {}): EventToAppend {
  const commandId = randomUUID();
  return {
    id: randomUUID(),
    type: 'ThingHappened',
    data,
    metadata: {
      schemaVersion: 1,
      occurredAt: '2026-01-02T03:04:05.678Z',
      commandId,
      actor: { type: 'system', id: 'contract' },
      requestId: 'req-contract',
      $correlationId: 'req-contract',
      $causationId: commandId,
    },
  };
}

async function fixture(open: () => Promise<EventStore>) {
  const store = await open();
  const category = `contract${randomUUID().replaceAll('-', '')}`;
  const stream = `${category}-1`;
  return {
    stream,
    append: (
      events: readonly EventToAppend[],
      expected: Parameters<EventStore['append']>[2],
      signal?: AbortSignal,
    ) => store.append(stream, events, expected, signal),
    read: async (from?: bigint) => await Array.fromAsync(store.read(stream, from)),
    /** With the prefixes of other streams that are derived from this one's. */
    subscribe: (after: Position | 'start', ...others: readonly ((prefix: string) => string)[]) =>
      collect(store, [`${category}-`, ...others.map((of) => of(`${category}-`))], after),
    setMetadata: (metadata: object) =>
      store.append(metastreamOf(stream), [{ ...anEvent(metadata), type: '$metadata' }], 'any'),
  };
}

function collect(store: EventStore, streamPrefixes: readonly string[], after: Position | 'start') {
  const abort = new AbortController();
  const events: RecordedEvent[] = [];
  let caughtUp = false;
  let wake = () => {};
  const running = (async () => {
    const options = { after, streamPrefixes, signal: abort.signal };
    for await (const batch of store.subscribe(options)) {
      for (const message of batch) {
        if (message.kind === 'event') events.push(message.event);
        if (message.kind === 'caught_up') caughtUp = true;
      }
      wake();
    }
  })();
  return {
    caughtUp: () => caughtUp,
    /** Waits for that many events; the test's own time-out bounds it. */
    async until(count: number): Promise<readonly RecordedEvent[]> {
      while (events.length < count)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      return events;
    },
    async stop(): Promise<void> {
      abort.abort();
      await running;
    },
  };
}
