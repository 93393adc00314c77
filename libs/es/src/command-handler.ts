import { Fault, isRejection, type Rejection } from '@sluice/errors';
import type { EventCodec } from './codec.ts';
import type { Decider } from './decider.ts';
import type { Actor, Event } from './event.ts';
import type { EventStore, EventToAppend, Position } from './event-store.ts';
import { goneStreamOf, metastreamOf } from './gone-stream.ts';
import { streamQueues, type StreamQueues, type Turn } from './stream-queues.ts';
import { type KnownState, type Loaded, readStream } from './read-stream.ts';

/** The origin of a command. Handling the same `commandId` (a UUID) twice writes once. */
export interface CommandContext {
  readonly commandId: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly occurredAt: string;
  readonly actor: Actor;
  readonly requestId: string;
  readonly traceparent?: string;
  readonly clientIp?: string;
  readonly userAgent?: string;
  /** Aborted when the caller no longer waits: nothing is written from then on. */
  readonly signal?: AbortSignal;
  /** Optimistic concurrency chosen by the caller: no second try on a conflict. */
  readonly expectedRevision?: bigint;
}

/** A command without the fields that its handler takes from the context. */
export type WithoutContext<
  Command,
  Fields extends string = 'accountId' | 'occurredAt',
> = Command extends unknown ? Omit<Command, Fields> : never;

export interface CommandHandlerDependencies {
  readonly store: EventStore;
  /** A UUID that is a function of its arguments, so that a retried append is recognised. */
  readonly eventId: (commandId: string, index: number) => string;
  /** Resolves when a command is to be decided again after so many conflicts in a row. */
  readonly retryPause: (conflicts: number) => Promise<void>;
}

export interface CommandHandlerOptions<Command, State> extends CommandHandlerDependencies {
  /**
   * Returns a state of the stream, so that only later events are read: for streams that grow without a bound.
   * Undefined: all events are read.
   */
  readonly known?: (id: string, command: Command) => Promise<KnownState<State> | undefined>;
}

export interface Handled<State, E> {
  readonly state: State;
  /** The facts this command made; empty when it was already so. */
  readonly events: readonly E[];
  /** -1n: the stream does not exist. */
  readonly revision: bigint;
  /** The position of the stream's last event, also when there was nothing to write. undefined: it has none. */
  readonly position: Position | undefined;
  /** The command had been carried out already. */
  readonly handledBefore: boolean;
}

/** With pauses of up to 64 ms a command outlasts a burst of commands in another process. */
const decisionsMax = 32;
const retryAfterSeconds = 1;
/** Reads after which a stream that shows no event and refuses a first one counts as gone. */
const hiddenMax = 3;
/** A command takes milliseconds. The last of these is carried out before its caller gives up. */
const queuedMax = 200;

/** Queues of the streams of each store, which all handlers of the process share. */
const queuesByStore = new WeakMap<EventStore, StreamQueues>();

function queuesOf(store: EventStore): StreamQueues {
  const queues = queuesByStore.get(store) ?? streamQueues(queuedMax);
  queuesByStore.set(store, queues);
  return queues;
}

/** A stream as a turn left it, for the commands that came before it was read or written. */
interface Snapshot<State> {
  readonly of: object;
  readonly state: State;
  readonly revision: bigint;
  readonly position: Position | undefined;
  /** The command ids of all events in the stream. */
  readonly commandIds: Set<string>;
  /** A moment at which the stream was not yet newer, on the clock of arrivals. */
  readonly takenAt: number;
}

/** Counts commands, loads and appends: which of them came first. */
let moment = 0;

/**
 * Loads, folds, decides, appends. Commands on one stream are carried out one after the other within the
 * process, each on what the one before left; the stream is not read again for those that came before that.
 * When another process wrote meanwhile, the command is decided again on the newer state, up to 31 times.
 * A stream that was deleted, or whose first events are cut off, is refused with the fault `stream_gone`. One with an
 * event that cannot be read is refused with `stream_unreadable`.
 */
export function commandHandler<Command, State, E extends Event, R extends Rejection>(
  decider: Decider<Command, State, E, R>,
  codec: EventCodec<E>,
  dependencies: CommandHandlerOptions<Command, State>,
) {
  const { store, retryPause, known } = dependencies;
  const parts = { decider, codec, ...dependencies };
  const inTurn = queuesOf(store);
  async function load(
    id: string,
    command: Command,
    { signal }: CommandContext,
  ): Promise<Snapshot<State>> {
    const takenAt = ++moment;
    const stream = { store, decider, codec, id, signal };
    const readFrom = async (from?: KnownState<State>) => {
      const commandIds = new Set<string>();
      const read = await readStream({ ...stream, from }, (one) => commandIds.add(one));
      return { of: decider, ...read, commandIds, takenAt };
    };
    const from = await known?.(id, command);
    let read = await readFrom(from);
    // The stream does not have that event any more.
    if (from && read.isCut) read = await readFrom();
    if (read.isCut) throw new Fault('stream_gone');
    return read;
  }
  function keptFor(arrivedAt: number, { kept }: Turn): Snapshot<State> | undefined {
    const snapshot = kept as Snapshot<State> | undefined;
    return snapshot?.of === decider && snapshot.takenAt > arrivedAt ? snapshot : undefined;
  }
  return async (
    id: string,
    command: Command,
    context: CommandContext,
  ): Promise<Handled<State, E> | R> => {
    const arrivedAt = ++moment;
    return await inTurn(`${decider.category}-${id}`, async (turn) => {
      for (let conflicts = 0, hidden = 0; ;) {
        requireWaiting(context, turn);
        try {
          const snapshot = keptFor(arrivedAt, turn) ?? (await load(id, command, context));
          turn.kept = snapshot;
          hidden = snapshot.revision < 0n ? hidden + 1 : 0;
          turn.away = undefined;
          return await decideOn(snapshot, parts, { id, command, context, turn });
        } catch (error) {
          if (error instanceof Fault && error.code === 'event_store_unavailable') turn.away = error;
          if (!(error instanceof Fault) || error.code !== 'revision_conflict') throw error;
          conflicts += 1;
          if (hidden === hiddenMax) throw new Fault('stream_gone', { cause: error });
          if (context.expectedRevision !== undefined || conflicts === decisionsMax) throw error;
          turn.kept = undefined;
          await retryPause(conflicts);
        }
      }
    });
  };
}

interface Asked<Command> {
  readonly id: string;
  readonly command: Command;
  readonly context: CommandContext;
  readonly turn: Turn;
}

interface Parts<Command, State, E extends Event, R extends Rejection> extends Pick<
  CommandHandlerDependencies,
  'store' | 'eventId'
> {
  readonly decider: Decider<Command, State, E, R>;
  readonly codec: EventCodec<E>;
}

/** Decides on what the stream is, appends, and leaves what it then is to the next turn. */
async function decideOn<Command, State, E extends Event, R extends Rejection>(
  snapshot: Snapshot<State>,
  { decider, codec, store, eventId }: Parts<Command, State, E, R>,
  { id, command, context, turn }: Asked<Command>,
): Promise<Handled<State, E> | R> {
  const { state: before, revision, position, commandIds } = snapshot;
  const unchanged = { state: before, revision, events: [] };
  if (commandIds.has(context.commandId)) return { ...unchanged, position, handledBefore: true };
  if (context.expectedRevision !== undefined && context.expectedRevision !== revision)
    throw new Fault('revision_conflict');
  const events = decider.decide(command, before);
  if (isRejection(events)) return events;
  if (events.length === 0) return { ...unchanged, position, handledBefore: false };
  const stream = `${decider.category}-${id}`;
  if (revision < 0n) await requireNeverBegun(store, stream, context);
  requireWaiting(context, turn);
  turn.kept = undefined;
  const takenAt = ++moment;
  const appended = await store.append(
    stream,
    eventsToAppend({ codec, eventId }, events, context),
    revision < 0n ? 'no_stream' : revision,
    context.signal,
  );
  const state = events.reduce(decider.evolve, before);
  commandIds.add(context.commandId);
  turn.kept = { of: decider, state, ...appended, commandIds, takenAt } satisfies Snapshot<State>;
  return { state, events, ...appended, handledBefore: false };
}

/** The store lets a deleted stream begin again. This check finds that it held events before. */
async function requireNeverBegun(
  store: EventStore,
  stream: string,
  { signal }: CommandContext,
): Promise<void> {
  let isGone = false;
  for await (const recorded of store.read(metastreamOf(stream), undefined, signal))
    isGone = goneStreamOf(recorded) === stream;
  if (isGone) throw new Fault('stream_gone');
}

/**
 * Throws once the caller has given up. A late command would overwrite a newer acknowledged one of the same caller. The
 * store was slow and not the client, so this is no `timeout` (408).
 */
function requireWaiting({ signal }: CommandContext, { away }: Turn): void {
  if (signal?.aborted) throw away ?? new Fault('unavailable', { retryAfterSeconds });
}

/**
 * Folds one stream as it is in the log now. A stream that was deleted, or whose first events are cut off, counts as one
 * that has not begun: the events that are left would give a state that never existed. Throws UnreadableEvent.
 */
export async function loadAggregate<State, E extends Event>(
  store: Pick<EventStore, 'read'>,
  decider: Pick<Decider<never, State, E>, 'category' | 'initial' | 'evolve'>,
  codec: EventCodec<E>,
  id: string,
  commandId?: string,
): Promise<Loaded<State>> {
  let handledBefore = false;
  try {
    const { isCut, ...read } = await readStream({ store, decider, codec, id }, (one) => {
      handledBefore ||= one === commandId;
    });
    return { ...read, ...(isCut ? { state: decider.initial } : {}), handledBefore };
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'stream_gone') throw error;
    return { state: decider.initial, revision: -1n, position: undefined, handledBefore: false };
  }
}

/** Returns events in their storage format, with the context of their command. */
export function eventsToAppend<E extends Event>(
  {
    codec,
    eventId,
  }: Pick<CommandHandlerDependencies, 'eventId'> & {
    readonly codec: EventCodec<E>;
  },
  events: readonly E[],
  context: CommandContext,
): readonly EventToAppend[] {
  return events.map(({ type, data }, index) => ({
    id: eventId(context.commandId, index),
    type,
    data,
    metadata: metadataOf(context, codec.schemaVersion(type)),
  }));
}

function metadataOf(context: CommandContext, schemaVersion: number) {
  return {
    schemaVersion,
    occurredAt: context.occurredAt,
    commandId: context.commandId,
    actor: context.actor,
    requestId: context.requestId,
    ...(context.traceparent === undefined ? {} : { traceparent: context.traceparent }),
    ...(context.clientIp === undefined ? {} : { clientIp: context.clientIp }),
    ...(context.userAgent === undefined ? {} : { userAgent: context.userAgent }),
    $correlationId: context.requestId,
    $causationId: context.commandId,
  };
}
