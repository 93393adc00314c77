import { Fault, isRejection, type Rejection } from '@sluice/errors';
import type { EventCodec } from './codec.ts';
import type { Decider } from './decider.ts';
import type { Actor, Event } from './event.ts';
import type { EventStore, ExpectedRevision, Position } from './event-store.ts';
import { streamQueues, type StreamQueues } from './stream-queues.ts';

/** Where a command came from. `commandId` (a UUID) makes handling it twice write once. */
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

export interface CommandHandlerDependencies {
  readonly store: EventStore;
  /** A UUID that is a function of its arguments, so that a retried append is recognised. */
  readonly eventId: (commandId: string, index: number) => string;
  /** Resolves when a command is to be decided again after so many conflicts in a row. */
  readonly retryPause: (conflicts: number) => Promise<void>;
}

export interface Handled<State, E> {
  readonly state: State;
  /** The facts this command made; empty when it was already so. */
  readonly events: readonly E[];
  /** -1n: the stream does not exist. */
  readonly revision: bigint;
  /** Where the last new fact lies; undefined when there was nothing to write. */
  readonly position: Position | undefined;
  /** The command had been carried out already: `position` is that of the stream's last event. */
  readonly handledBefore: boolean;
}

/** With pauses of up to 64 ms a command outlasts a burst of commands in another process. */
const decisionsMax = 32;
/** A command takes milliseconds. The last of these is carried out before its caller gives up. */
const queuedMax = 200;

/** Queues of the streams of each store, which all handlers of the process share. */
const queuesByStore = new WeakMap<EventStore, StreamQueues>();

function queuesOf(store: EventStore): StreamQueues {
  const queues = queuesByStore.get(store) ?? streamQueues(queuedMax);
  queuesByStore.set(store, queues);
  return queues;
}

/**
 * Loads, folds, decides, appends. Commands on one stream are carried out one after the other within the
 * process. When another process wrote meanwhile, the command is decided again on the newer state, up to
 * 31 times.
 */
export function commandHandler<Command, State, E extends Event, R extends Rejection>(
  decider: Decider<Command, State, E, R>,
  codec: EventCodec<E>,
  { store, eventId, retryPause }: CommandHandlerDependencies,
) {
  const inTurn = queuesOf(store);
  const load = (id: string, commandId: string) =>
    loadAggregate(store, decider, codec, id, commandId);
  async function decideOnce(
    id: string,
    command: Command,
    context: CommandContext,
  ): Promise<Handled<State, E> | R> {
    const loaded = await load(id, context.commandId);
    if (loaded.handledBefore) return { ...loaded, events: [] };
    if (context.expectedRevision !== undefined && context.expectedRevision !== loaded.revision)
      throw new Fault('revision_conflict');
    const events = decider.decide(command, loaded.state);
    if (isRejection(events)) return events;
    if (events.length === 0) return { ...loaded, events, position: undefined };
    requireWaiting(context);
    const expected: ExpectedRevision = loaded.revision < 0n ? 'no_stream' : loaded.revision;
    const appended = await store.append(
      `${decider.category}-${id}`,
      events.map((event, index) => ({
        id: eventId(context.commandId, index),
        type: event.type,
        data: event.data,
        metadata: metadataOf(context, codec.schemaVersion(event.type)),
      })),
      expected,
      context.signal,
    );
    const state = events.reduce(decider.evolve, loaded.state);
    return { state, events, ...appended, handledBefore: false };
  }
  return async (
    id: string,
    command: Command,
    context: CommandContext,
  ): Promise<Handled<State, E> | R> =>
    await inTurn(`${decider.category}-${id}`, async () => {
      for (let conflicts = 0; ;) {
        requireWaiting(context);
        try {
          return await decideOnce(id, command, context);
        } catch (error) {
          if (!(error instanceof Fault) || error.code !== 'revision_conflict') throw error;
          conflicts += 1;
          if (context.expectedRevision !== undefined || conflicts === decisionsMax) throw error;
          await retryPause(conflicts);
        }
      }
    });
}

/** Throws once the caller has given up. Late, a command would overwrite what the same caller was told is done. */
function requireWaiting({ signal }: CommandContext): void {
  if (signal?.aborted) throw new Fault('timeout');
}

export interface Loaded<State> {
  readonly state: State;
  readonly revision: bigint;
  readonly position: Position | undefined;
  /** An event of this stream was caused by the given command. */
  readonly handledBefore: boolean;
}

/** The fold of one stream, as it is in the log now. */
export async function loadAggregate<State, E extends Event>(
  store: Pick<EventStore, 'read'>,
  decider: Pick<Decider<never, State, E>, 'category' | 'initial' | 'evolve'>,
  codec: EventCodec<E>,
  id: string,
  commandId?: string,
): Promise<Loaded<State>> {
  let state = decider.initial;
  let revision = -1n;
  let position: Position | undefined;
  let handledBefore = false;
  for await (const recorded of store.read(`${decider.category}-${id}`)) {
    state = decider.evolve(state, codec.decode(recorded));
    revision = recorded.revision;
    position = recorded.position;
    const metadata = recorded.metadata as { commandId?: unknown } | null;
    if (commandId !== undefined && metadata?.commandId === commandId) handledBefore = true;
  }
  return { state, revision, position, handledBefore };
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
