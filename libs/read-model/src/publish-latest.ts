import {
  aggregateAfter,
  byStream,
  type Decider,
  type Event,
  type EventCodec,
  type EventStore,
  type RecordedEvent,
} from '@sluice/es';
import { eachAtOnce } from './each-at-once.ts';
import type { Projection } from './projection.ts';
import { currentHistory, type History } from './same-log/history.ts';

/** The state of an aggregate after a batch, with the last event that changes the published part of it. */
export interface Latest<State, E extends Event> {
  readonly id: string;
  readonly state: State;
  /** The revision in the stream; `history.published` turns it into the one that consumers compare. */
  readonly revision: bigint;
  readonly history: History;
  readonly event: E;
  readonly recorded: RecordedEvent;
}

export interface LatestOptions<State, E extends Event> {
  readonly projection: string;
  readonly version: number;
  readonly eventStore: Pick<EventStore, 'read'>;
  readonly events: EventCodec<E> & {
    readonly decider: Pick<Decider<never, State, E>, 'category' | 'initial' | 'evolve'>;
  };
  /** True for an event that changes the published part of the state. */
  readonly concerns: (event: E) => boolean;
  /** Resolves when the bus has stored the fact. */
  readonly publish: (latest: Latest<State, E>) => Promise<unknown>;
}

/** Neither order nor repetition matters to consumers, and each publication waits for the bus to store it. */
const atOnceMax = 64;

/**
 * Returns a reaction that publishes the latest state of each aggregate that a batch changes. The bus has stored the
 * facts before the checkpoint moves. Batches follow the log, so the newest state comes last. An aggregate that begins
 * in the batch is not read from the event store again.
 */
export function publishLatest<State, E extends Event>({
  projection,
  version,
  eventStore,
  events: codec,
  concerns,
  publish,
}: LatestOptions<State, E>): Projection {
  const { streamPrefix, decider } = codec;
  /** Returns the last event of a stream that concerns, with all events of the stream; nothing if none does. */
  const changed = ([stream, ofOne]: readonly [string, readonly RecordedEvent[]]) => {
    const decoded = ofOne.map((recorded) => ({ recorded, event: codec.decode(recorded) }));
    const last = decoded.findLast(({ event }) => concerns(event));
    return last ? [{ ...last, ofOne, id: stream.slice(streamPrefix.length) }] : [];
  };
  return {
    projection,
    version,
    streamPrefixes: [streamPrefix],
    tables: [],
    async apply(transaction, events) {
      const streams = [...byStream(events)].flatMap(changed);
      if (streams.length === 0) return;
      const history = await currentHistory(transaction);
      await eachAtOnce(streams, atOnceMax, async ({ ofOne, id, ...last }) => {
        const { state, revision } = await aggregateAfter(eventStore, decider, codec, id, ofOne);
        await publish({ id, state, revision, history, ...last });
      });
    },
  };
}
