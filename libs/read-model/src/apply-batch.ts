import {
  comparePositions,
  goneStreamOf,
  isOwnEvent,
  type Position,
  type RecordedEvent,
  type SubscriptionMessage,
} from '@sluice/es';
import { moveCheckpoint } from './checkpoint.ts';
import type { Connection } from './connection.ts';
import { isPassing } from './failure.ts';
import type { Projection } from './projection.ts';
import { noteKnownEvent } from './same-log/known-events.ts';
import type { Queryable } from './statement.ts';

/** An event that its projection cannot apply; the cause says why. */
export class PoisonedEvent extends Error {
  override readonly name = 'PoisonedEvent';
  readonly event: RecordedEvent;

  constructor(event: RecordedEvent, cause: unknown) {
    super(`event ${event.id} (${event.type}) of ${event.stream} cannot be applied`, { cause });
    this.event = event;
  }
}

/** The events of a batch behind a position. */
export interface FreshEvents {
  /** Events of ours, and those by which streams are gone if the projection takes them. */
  readonly events: readonly RecordedEvent[];
  /** Events of other programs or of the store itself. The projection never gets them. */
  readonly foreign: readonly RecordedEvent[];
  /** The position that the batch leads to. It is undefined if nothing in the batch is new. */
  readonly reached: Position | undefined;
}

export interface Written {
  readonly position: Position;
  /** The number of rebuilds that had replaced the rows when this was written. */
  readonly rebuilds: number;
}

/**
 * Drops events at or before `position`, which are redeliveries. Foreign events and those that are held back only move
 * it on.
 */
export function freshEvents(
  { applyGone }: Pick<Projection, 'applyGone'>,
  batch: readonly SubscriptionMessage[],
  position: Position | undefined,
  holdsBack: (event: RecordedEvent) => boolean,
): FreshEvents {
  const isTaken = (event: RecordedEvent) =>
    isOwnEvent(event) || (applyGone !== undefined && goneStreamOf(event) !== undefined);
  const isNew = (candidate: Position) =>
    position === undefined || comparePositions(candidate, position) > 0;
  const all = batch
    .flatMap((message) => (message.kind === 'event' ? [message.event] : []))
    .filter((event) => isNew(event.position));
  const reached = batch
    .flatMap((message) => (message.kind === 'checkpoint' ? [message.position] : []))
    .concat(all.map((event) => event.position))
    .filter(isNew)
    .toSorted(comparePositions)
    .at(-1);
  const events = all.filter((event) => isTaken(event) && !holdsBack(event));
  const foreign = all.filter((event) => !isTaken(event));
  return { events, foreign, reached };
}

export interface Batch {
  /** The checkpoint before the batch. */
  readonly from: Position | undefined;
  /** The schema where the newest event is noted for all services; undefined for rows that are not live. */
  readonly installation: string | undefined;
}

/**
 * The checkpoint and the rows that belong to it, in the transaction of the caller. The rows of a read model are sent
 * behind the checkpoint, without waiting for it: where that turns out to have moved, nothing of them is kept. What a
 * reaction does is not undone, so it waits.
 */
export async function writeEvents(
  transaction: Queryable,
  projection: Projection,
  events: readonly RecordedEvent[],
  { from, to, installation }: Batch & { readonly to: Position },
): Promise<Written> {
  const own = events.filter(isOwnEvent);
  // The store drops metadata that newer ones replace: the log is not known again by them.
  const newest = own.at(-1);
  const moving = moveCheckpoint(transaction, projection, from, to, newest);
  if (projection.tables.length === 0) await moving;
  const gone = new Set(events.flatMap((event) => goneStreamOf(event) ?? []));
  const apply = async () => {
    if (own.length > 0) await projection.apply(transaction, own);
    if (gone.size > 0) await projection.applyGone?.(transaction, [...gone]);
  };
  const [moved, applied, noted] = await Promise.allSettled([
    moving,
    events.length > 0 ? apply() : undefined,
    // In the same transaction: a command is answered when its event is applied, so no answered event is unknown here.
    installation && newest && noteKnownEvent(transaction, installation, projection, newest),
  ]);
  if (moved.status === 'rejected') throw moved.reason;
  if (applied.status === 'rejected') throw applied.reason;
  if (noted.status === 'rejected') throw noted.reason;
  return { position: to, rebuilds: moved.value };
}

/**
 * Writes a batch in one transaction. When that fails, writes each event in its own transaction: the events
 * before the faulty one are committed, and the faulty one throws PoisonedEvent. Calls `onWritten` after
 * each transaction.
 */
export async function applyBatch(
  connection: Pick<Connection, 'transaction'>,
  projection: Projection,
  { events, reached }: FreshEvents,
  { from, installation }: Batch,
  onWritten: (written: Written) => void,
): Promise<void> {
  if (reached === undefined) return;
  const write = (
    part: readonly RecordedEvent[],
    between: Pick<Parameters<typeof writeEvents>[3], 'from' | 'to'>,
  ) =>
    connection
      .transaction((transaction) =>
        writeEvents(transaction, projection, part, { ...between, installation }),
      )
      .then(onWritten);
  try {
    await write(events, { from, to: reached });
  } catch (error) {
    if (isPassing(error) || events.length === 0) throw error;
    let position = from;
    for (const event of events) {
      await write([event], { from: position, to: event.position }).catch((cause: unknown) => {
        throw isPassing(cause) ? cause : new PoisonedEvent(event, cause);
      });
      position = event.position;
    }
    if (position !== reached) await write([], { from: position, to: reached });
  }
}
