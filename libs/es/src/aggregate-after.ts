import type { EventCodec } from './codec.ts';
import { loadAggregate } from './command-handler.ts';
import type { Decider } from './decider.ts';
import type { Event } from './event.ts';
import type { EventStore, RecordedEvent } from './event-store.ts';
import type { Loaded } from './read-stream.ts';
import { reading } from './unreadable-event.ts';

/** The events of each stream, in their order. */
export function byStream(
  events: readonly RecordedEvent[],
): ReadonlyMap<string, readonly RecordedEvent[]> {
  const streams = new Map<string, RecordedEvent[]>();
  for (const event of events) {
    const known = streams.get(event.stream);
    if (known) known.push(event);
    else streams.set(event.stream, [event]);
  }
  return streams;
}

/**
 * Folds one stream up to one of its revisions, which is not before the last of these events. The events follow each
 * other. If they begin the stream, nothing is read: a catch-up over many new streams reads none of them again.
 */
export async function aggregateAfter<State, E extends Event>(
  store: Pick<EventStore, 'read'>,
  decider: Pick<Decider<never, State, E>, 'category' | 'initial' | 'evolve'>,
  codec: EventCodec<E>,
  id: string,
  events: readonly RecordedEvent[],
): Promise<Pick<Loaded<State>, 'state' | 'revision'>> {
  const last = events.at(-1);
  if (!last || events[0]?.revision !== 0n) return await loadAggregate(store, decider, codec, id);
  const state = events.reduce(
    (before, event) => reading(event, () => decider.evolve(before, codec.decode(event))),
    decider.initial,
  );
  return { state, revision: last.revision };
}
