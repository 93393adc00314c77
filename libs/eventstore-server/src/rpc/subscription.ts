import { randomUUID } from 'node:crypto';
import type { StreamEntry } from '../store/event-index.ts';
import { viewStream } from '../store/stream-view.ts';
import { ordinalOf, sendAll, type Reading } from './reading.ts';
import { invalidArgument, streamDeleted } from './refusal.ts';
import { Turn } from './turn.ts';

/** The number of events after which a subscription checks the state of its stream again. */
const scanEventsMax = 2_048;
/** A live reader that is further behind catches up again, and gets `caughtUp` again. */
const liveEventsMax = 4_096;

/**
 * Catches up, then goes live, until the signal aborts. Delivery starts behind the given position. Behind a position
 * beyond the end the subscription is silent until the log has grown past it, as on a real node: what is written below
 * is never sent.
 */
export async function subscribeToAll(reading: Reading): Promise<void> {
  const { store, request, send, signal } = reading;
  const { index } = store;
  await confirm(reading);
  if (request.checkpointEvents === 0) throw invalidArgument('The search window must not be 0.');
  let next = ordinalOf(store, request.from);
  let beyond = typeof request.from === 'number' && next >= index.visible ? request.from : undefined;
  if (typeof request.from === 'number' && beyond === undefined && request.from > 0)
    next = Math.max(0, next + 1 - reading.faults.repeatedEvents);
  let live = false;
  let checkpoint = -1;
  let considered = 0;
  const turn = new Turn();
  const sendCheckpoint = async (ordinal: number) => {
    if (ordinal < 0 || ordinal <= checkpoint) return;
    checkpoint = ordinal;
    const position = BigInt(index.positionAt(ordinal));
    const value = { commitPosition: position, preparePosition: position };
    await send({ content: { $case: 'checkpoint', value } });
  };
  while (!signal.aborted) {
    if (beyond !== undefined) {
      next = index.ordinalFrom(beyond + 1);
      if (next < index.visible) beyond = undefined;
    }
    if (next >= index.visible && live) {
      await store.watch.wait(signal);
      continue;
    }
    if (next >= index.visible) {
      if (request.checkpointEvents !== undefined && considered > 0) await sendCheckpoint(next - 1);
      await send({ content: { $case: 'caughtUp', value: {} } });
      live = true;
      continue;
    }
    if (index.visible - next > liveEventsMax) live = false;
    for (const step of planSteps(reading, next, considered, turn)) {
      await sendAll(reading, step.ordinals);
      if (step.checkpoint !== undefined) await sendCheckpoint(step.checkpoint);
      considered += step.next - next;
      next = step.next;
    }
    await turn.pause();
  }
}

interface Step {
  readonly ordinals: readonly number[];
  readonly checkpoint: number | undefined;
  /** The first ordinal that was not looked at. */
  readonly next: number;
}

/** The wanted events up to each checkpoint that is due, and those behind the last one, for one turn. */
function* planSteps(
  { store, request }: Reading,
  from: number,
  consideredBefore: number,
  turn: Turn,
): Generator<Step> {
  const { index } = store;
  const end = index.visible;
  let ordinals: number[] = [];
  for (let ordinal = from, isOver = false; ordinal < end && !isOver; ordinal++) {
    if (request.filter(index, ordinal)) ordinals.push(ordinal);
    isOver = turn.isOver();
    const considered = consideredBefore + ordinal - from + 1;
    const isDue =
      request.checkpointEvents !== undefined && considered % request.checkpointEvents === 0;
    if (!isDue && !isOver && ordinal + 1 < end) continue;
    yield { ordinals, checkpoint: isDue ? ordinal : undefined, next: ordinal + 1 };
    ordinals = [];
  }
}

/** The same for one stream, which need not exist yet. A tombstone ends it with an error. */
export async function subscribeToStream(reading: Reading, name: string): Promise<void> {
  const { store, signal } = reading;
  let next = firstRevision(reading, name);
  let live = false;
  if (viewStream(store.index, store.index.stream(name), store.nowMs()).kind === 'deleted')
    throw streamDeleted(name);
  await confirm(reading);
  while (!signal.aborted) {
    const stream = store.index.stream(name);
    const view = viewStream(store.index, stream, store.nowMs());
    if (view.kind === 'deleted') {
      if (live && stream) await sendAll(reading, unseenOf(stream, next));
      throw streamDeleted(name);
    }
    if (!stream || view.kind === 'not_found' || next > view.last) {
      if (live) await store.watch.wait(signal);
      else await reading.send({ content: { $case: 'caughtUp', value: {} } });
      live = true;
      continue;
    }
    const from = Math.max(next, view.first);
    if (view.last - from > liveEventsMax) live = false;
    const end = Math.min(view.last + 1, from + scanEventsMax);
    await sendAll(reading, stream.ordinals.slice(from, end));
    next = Math.max(end, from);
  }
}

/** The events behind a revision, and the tombstone, which a live reader is sent before it is refused. */
function unseenOf({ ordinals, tombstoneOrdinal }: StreamEntry, next: number): readonly number[] {
  const unseen = ordinals.slice(next);
  return tombstoneOrdinal === undefined ? unseen : [...unseen, tombstoneOrdinal];
}

function firstRevision({ store, request }: Reading, name: string): number {
  if (request.from === 'start') return 0;
  if (request.from !== 'end') return request.from + 1;
  const stream = store.index.stream(name);
  return stream ? store.index.visibleCount(stream) : 0;
}

async function confirm({ send }: Reading): Promise<void> {
  await send({ content: { $case: 'confirmation', value: { subscriptionId: randomUUID() } } });
}
