import {
  type EventStore,
  metastreamOf,
  type RecordedEvent,
  type SubscribeOptions,
} from '@sluice/es';
import type { ProjectionId } from './checkpoint.ts';
import type { Queryable } from './statement.ts';

/** A read model or a reaction: its streams, its handler and its tables. */
export interface Projection extends ProjectionId {
  readonly streamPrefixes: readonly string[];
  /**
   * The tables that this projection alone writes: a rebuild replaces them and nothing else. Their
   * rows are functions of the events: no clock, no chance, no sequence. Empty for a reaction.
   */
  readonly tables: readonly string[];
  /**
   * Indexes that no statement of `apply` looks anything up by, and that keep nothing unique: a rebuild makes them when
   * the rows are there.
   */
  readonly readingIndexes?: readonly string[];
  /**
   * Writes what follows from the events, in log order, none of them seen before. A retryable Fault
   * is tried again for ever; any other error stops this projection at the event that caused it.
   */
  readonly apply: (transaction: Queryable, events: readonly RecordedEvent[]) => Promise<void>;
  /**
   * Writes what follows when streams are gone from the event store: an operator deleted them, or set metadata that
   * hide events of them. It runs after `apply` of the events before that. It runs again when a stream is deleted
   * again, and events of the stream may still come. A projection without it keeps its rows of such streams.
   */
  readonly applyGone?: (transaction: Queryable, streams: readonly string[]) => Promise<void>;
  /**
   * Notifies others that these streams are set aside, so that they ask again. It runs again at each start, as long as
   * streams are set aside.
   */
  readonly applySetAside?: (connection: Queryable, streams: readonly string[]) => Promise<void>;
}

/** Returns the stream prefixes that a projection subscribes to, including metadata streams if it needs them. */
export function subscribedPrefixes({ streamPrefixes, applyGone }: Projection): readonly string[] {
  return applyGone ? [...streamPrefixes, ...streamPrefixes.map(metastreamOf)] : streamPrefixes;
}

/** Subscribes to all streams of a projection. */
export function subscribeFor(
  projection: Projection,
  eventStore: Pick<EventStore, 'subscribe'>,
  range: Pick<SubscribeOptions, 'after' | 'signal'>,
): ReturnType<EventStore['subscribe']> {
  return eventStore.subscribe({ ...range, streamPrefixes: subscribedPrefixes(projection) });
}

/** The read models of one service: all that is needed to rebuild them without the service. */
export interface ReadModels {
  readonly schema: string;
  /** The directory of the service's `NNNN_what.sql`. */
  readonly migrations: string;
  readonly projections: readonly Projection[];
  /**
   * The names of reactions that publish the current state for any event. When another history of the log is
   * accepted, they restart at its beginning; the others restart where the histories part.
   */
  readonly restating: readonly string[];
}
