import { Fault, isRejection, type Rejection } from '@sluice/errors';
import type { EventCodec } from './codec.ts';
import type { Decider } from './decider.ts';
import type { Actor, Event } from './event.ts';
import type { EventStore, ExpectedRevision, Position } from './event-store.ts';

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

const decisionsMax = 4;

/** Loads, folds, decides, appends; on a revision conflict decides again, at most 3 times. */
export function commandHandler<Command, State, E extends Event, R extends Rejection>(
  decider: Decider<Command, State, E, R>,
  codec: EventCodec<E>,
  { store, eventId }: CommandHandlerDependencies,
) {
  const load = (id: string, commandId: string) =>
    loadAggregate(store, decider, codec, id, commandId);
  return async (
    id: string,
    command: Command,
    context: CommandContext,
  ): Promise<Handled<State, E> | R> => {
    for (let decision = 1; ; decision++) {
      const loaded = await load(id, context.commandId);
      if (loaded.handledBefore) return { ...loaded, events: [] };
      if (context.expectedRevision !== undefined && context.expectedRevision !== loaded.revision)
        throw new Fault('revision_conflict');
      const events = decider.decide(command, loaded.state);
      if (isRejection(events)) return events;
      if (events.length === 0) return { ...loaded, events, position: undefined };
      // Late, it would overwrite what the same caller was told is done.
      if (context.signal?.aborted) throw new Fault('timeout');
      const expected: ExpectedRevision = loaded.revision < 0n ? 'no_stream' : loaded.revision;
      try {
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
      } catch (error) {
        const conflict = error instanceof Fault && error.code === 'revision_conflict';
        const decideAgain = context.expectedRevision === undefined && decision < decisionsMax;
        if (!conflict || !decideAgain) throw error;
      }
    }
  };
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
