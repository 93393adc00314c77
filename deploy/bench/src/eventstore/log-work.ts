import { randomUUID } from 'node:crypto';
import type { EventToAppend } from '@sluice/es';
import { type ConnectedEventStore, connectEventStore } from '@sluice/eventstore';
import { inParallel, repeat, type Timings } from '../timings.ts';

const text = 'x'.repeat(200);
const streamPrefix = 'bench-';

/** An event as long as ours are: about 600 bytes on disk. */
export function anEvent(): EventToAppend {
  const commandId = randomUUID();
  return {
    id: randomUUID(),
    type: 'BenchMeasured',
    data: { text, at: '2026-01-02T03:04:05.678Z' },
    metadata: {
      schemaVersion: 1,
      occurredAt: '2026-01-02T03:04:05.678Z',
      commandId,
      actor: { type: 'system', id: 'bench' },
      requestId: 'req-bench',
      $correlationId: 'req-bench',
      $causationId: commandId,
    },
  };
}

const warmUpMs = 2_000;
const measureMs = 6_000;

/**
 * Measures durable appends of one event each, to a stream for each writer, in a closed loop. A
 * connection of ours has 32 in flight at most, so more in flight need more connections.
 */
export async function measureAppends(
  url: string,
  { inFlight, connections }: { readonly inFlight: number; readonly connections: number },
): Promise<Timings> {
  const stores: ConnectedEventStore[] = [];
  for (let index = 0; index < connections; index++) stores.push(await connectEventStore({ url }));
  const revisions = new Map<number, bigint>();
  const act = async (writer: number) => {
    const stream = `${streamPrefix}${inFlight}-${writer}`;
    const expected = revisions.get(writer) ?? 'no_stream';
    const answer = await stores[writer % connections]?.append(stream, [anEvent()], expected);
    if (answer) revisions.set(writer, answer.revision);
  };
  try {
    return await repeat({ warmUpMs, measureMs, inFlight, act });
  } finally {
    await Promise.all(stores.map((store) => store.stop()));
  }
}

const eventsPerAppend = 200;
const appendsInFlight = 8;
const streams = 1_000;

/** Writes so many events, in appends of 200, to 1,000 streams. Resolves with the events per second. */
export async function fill(url: string, events: number): Promise<number> {
  const store = await connectEventStore({ url });
  const appends = Math.ceil(events / eventsPerAppend);
  const seconds = await inParallel(appends, appendsInFlight, async (append) => {
    const stream = `${streamPrefix}fill-${append % streams}`;
    await store.append(stream, Array.from({ length: eventsPerAppend }, anEvent), 'any');
  });
  await store.stop();
  return (appends * eventsPerAppend) / seconds;
}

/** Measures a subscription from the start, with our filter by stream names, until `eventsMax` or the end. */
export async function measureCatchUp(url: string, eventsMax: number) {
  const store = await connectEventStore({ url });
  const { signal } = new AbortController();
  const startedMs = performance.now();
  let events = 0;
  let isOver = false;
  const streamPrefixes = [streamPrefix];
  for await (const batch of store.subscribe({ after: 'start', streamPrefixes, signal })) {
    events += batch.filter(({ kind }) => kind === 'event').length;
    isOver = events >= eventsMax || batch.some(({ kind }) => kind === 'caught_up');
    if (isOver) break;
  }
  const seconds = (performance.now() - startedMs) / 1000;
  await store.stop();
  return { events, perSecond: events / seconds };
}
