import type { EventCodec } from './codec.ts';
import type { Decider } from './decider.ts';
import type { Event } from './event.ts';
import type { EventStore, Position } from './event-store.ts';
import { isOwnEvent } from './own-event.ts';
import { reading } from './unreadable-event.ts';

/** The state of a stream up to an event, as a read model knows it. */
export interface KnownState<State> {
  readonly state: State;
  /** The revision of the last event that the state has. */
  readonly revision: bigint;
}

export interface Loaded<State> {
  readonly state: State;
  readonly revision: bigint;
  readonly position: Position | undefined;
  /** An event of this stream was caused by the given command. */
  readonly handledBefore: boolean;
}

interface StreamToRead<State, E extends Event> {
  readonly store: Pick<EventStore, 'read'>;
  readonly decider: Pick<Decider<never, State, E>, 'category' | 'initial' | 'evolve'>;
  readonly codec: EventCodec<E>;
  readonly id: string;
  readonly signal?: AbortSignal | undefined;
  readonly from?: KnownState<State> | undefined;
}

/** Reads all events, or the last one of a known state and those after it. */
export async function readStream<State, E extends Event>(
  { store, decider, codec, id, signal, from }: StreamToRead<State, E>,
  onCommand: (commandId: string) => void,
): Promise<Omit<Loaded<State>, 'handledBefore'> & { readonly isCut: boolean }> {
  let isCut = false;
  let state = from?.state ?? decider.initial;
  let revision = -1n;
  let position: Position | undefined;
  for await (const recorded of store.read(`${decider.category}-${id}`, from?.revision, signal)) {
    const isFirst = revision < 0n;
    isCut ||= isFirst && recorded.revision > (from?.revision ?? 0n);
    revision = recorded.revision;
    position = recorded.position;
    if (!isOwnEvent(recorded)) continue;
    if (!isCut && !(from && isFirst)) {
      const before = state;
      state = reading(recorded, () => decider.evolve(before, codec.decode(recorded)));
    }
    const metadata = recorded.metadata as { commandId?: unknown } | null;
    if (typeof metadata?.commandId === 'string') onCommand(metadata.commandId);
  }
  return { state, revision, position, isCut: isCut || (from !== undefined && revision < 0n) };
}
