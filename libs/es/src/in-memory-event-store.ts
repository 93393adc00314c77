import { Fault } from '@sluice/errors';
import type {
  AppendResult,
  EventMark,
  EventStore,
  EventToAppend,
  ExpectedRevision,
  RecordedEvent,
  SubscribeOptions,
  SubscriptionMessage,
} from './event-store.ts';
import { comparePositions } from './event-store.ts';
import { metastreamOf } from './gone-stream.ts';

export interface InMemoryEventStoreOptions {
  readonly now: () => Date;
}

const batchEventsMax = 500;

/** The double for specs and simulation: the same contract suite as the real store, nothing durable. */
export function inMemoryEventStore({ now }: InMemoryEventStoreOptions): EventStore {
  const log: RecordedEvent[] = [];
  const streams = new Map<string, RecordedEvent[]>();
  const waiting = new Set<() => void>();

  async function append(
    stream: string,
    events: readonly EventToAppend[],
    expected: ExpectedRevision,
    signal?: AbortSignal,
  ): Promise<AppendResult> {
    if (signal?.aborted) throw new Fault('unavailable');
    const existing = streams.get(stream) ?? [];
    const again = appendedBefore(existing, events, expected);
    if (again) return { revision: again.revision, position: again.position };
    const revision = BigInt(existing.length) - 1n;
    if (!accepts(expected, revision)) throw new Fault('revision_conflict');
    for (const [index, event] of events.entries()) {
      const offset = BigInt(log.length + 1) * 100n;
      const recorded: RecordedEvent = {
        ...event,
        // A stored event was JSON on the way: it shares no reference and has no undefined.
        data: JSON.parse(JSON.stringify(event.data)) as unknown,
        metadata: JSON.parse(JSON.stringify(event.metadata)) as unknown,
        stream,
        revision: revision + BigInt(index) + 1n,
        position: { commit: offset, prepare: offset },
        recordedAt: now(),
      };
      existing.push(recorded);
      log.push(recorded);
    }
    streams.set(stream, existing);
    for (const wake of waiting) wake();
    const last = existing.at(-1);
    if (!last) throw new Fault('invalid_request', { message: 'An append needs events' });
    return { revision: last.revision, position: last.position };
  }

  return {
    namespace: '',
    append,
    async *read(stream, fromRevision = 0n) {
      const events = streams.get(stream) ?? [];
      const shownFrom = firstRevisionShown(
        events.length,
        streams.get(metastreamOf(stream))?.at(-1),
      );
      yield* events.slice(Math.max(Number(fromRevision), shownFrom));
    },
    async end() {
      return markOf(log.at(-1));
    },
    async eventAt(position) {
      return markOf(log.find((event) => comparePositions(event.position, position) === 0));
    },
    subscribe: (options) => subscribe(log, waiting, options),
  };
}

async function* subscribe(
  log: readonly RecordedEvent[],
  waiting: Set<() => void>,
  { after, streamPrefixes, signal, onOpen }: SubscribeOptions,
): AsyncGenerator<readonly SubscriptionMessage[]> {
  await onOpen?.();
  const start = after;
  let next =
    start === 'start'
      ? 0
      : log.filter(({ position }) => comparePositions(position, start) <= 0).length;
  let live = false;
  while (!signal.aborted) {
    const batch: SubscriptionMessage[] = [];
    for (; next < log.length && batch.length < batchEventsMax; next++) {
      const event = log[next] as RecordedEvent;
      if (streamPrefixes.some((prefix) => event.stream.startsWith(prefix)))
        batch.push({ kind: 'event', event });
    }
    const caughtUp = next === log.length;
    if (caughtUp && !live) batch.push({ kind: 'caught_up' });
    live = caughtUp;
    if (batch.length > 0) yield batch;
    else if (caughtUp) await untilWoken(waiting, signal);
  }
}

/**
 * Returns the first revision that the metadata of the stream leave. A real store has removed the events before it, or
 * hides them.
 */
function firstRevisionShown(count: number, described: RecordedEvent | undefined): number {
  const { $tb = 0, $maxCount = count } = (described?.data ?? {}) as Readonly<
    Partial<Record<string, number>>
  >;
  return Math.max($tb, count - $maxCount);
}

function markOf(event: RecordedEvent | undefined): EventMark | undefined {
  if (event === undefined) return undefined;
  const { position, id, stream, type } = event;
  return { position, id, stream, type };
}

async function untilWoken(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.add(resolve);
  signal.addEventListener('abort', () => resolve(), { once: true });
  await promise;
  waiting.delete(resolve);
}

function accepts(expected: ExpectedRevision, revision: bigint): boolean {
  if (expected === 'any') return true;
  if (expected === 'no_stream') return revision < 0n;
  if (expected === 'stream_exists') return revision >= 0n;
  return expected === revision;
}

/** The last of the events when exactly these ids already lie where they would be written. */
function appendedBefore(
  existing: readonly RecordedEvent[],
  events: readonly EventToAppend[],
  expected: ExpectedRevision,
): RecordedEvent | undefined {
  const ids = events.map(({ id }) => id);
  const from =
    typeof expected === 'bigint'
      ? Number(expected) + 1
      : expected === 'no_stream'
        ? 0
        : existing.findIndex(({ id }) => id === ids[0]);
  if (from < 0 || ids.length === 0) return undefined;
  const there = existing.slice(from, from + ids.length);
  const same = there.length === ids.length && there.every(({ id }, index) => id === ids[index]);
  return same ? there.at(-1) : undefined;
}
