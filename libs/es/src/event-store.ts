import type { EventMetadata } from './event.ts';

/** The revision that a stream must be at for an append to be accepted. */
export type ExpectedRevision = 'any' | 'no_stream' | 'stream_exists' | bigint;

/** A place in the global log. Sparse, strictly increasing; never assume +1. */
export interface Position {
  readonly commit: bigint;
  readonly prepare: bigint;
}

/** An event to be stored. The same `id` (a UUID) at the same revision is written once. */
export interface EventToAppend {
  readonly id: string;
  readonly type: string;
  readonly data: object;
  readonly metadata: EventMetadata;
}

/** A stored event. `data` and `metadata` are as stored: not upcast, not trusted. */
export interface RecordedEvent {
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  readonly revision: bigint;
  readonly position: Position;
  readonly data: unknown;
  readonly metadata: unknown;
  readonly recordedAt: Date;
  /** The reason for which the event counts for the revision of its stream and for nothing else. */
  readonly leftOut?: 'forged' | 'skipped';
}

/** Names one event of the log by its place and its id: two logs that agree on it are the same up to it. */
export interface EventMark {
  readonly position: Position;
  readonly id: string;
  readonly stream: string;
  readonly type: string;
}

export interface AppendResult {
  readonly revision: bigint;
  readonly position: Position;
}

export type SubscriptionMessage =
  | { readonly kind: 'event'; readonly event: RecordedEvent }
  | { readonly kind: 'checkpoint'; readonly position: Position }
  | { readonly kind: 'caught_up' };

export interface SubscribeOptions {
  /** Exclusive: delivery starts behind this position. */
  readonly after: Position | 'start';
  /** Only events of streams whose name starts with one of these. */
  readonly streamPrefixes: readonly string[];
  /** Ends the iteration without an error. */
  readonly signal: AbortSignal;
  /**
   * Called each time the subscription is open, the first time and after each break. What it delivers waits
   * for the promise, and a rejection ends the subscription.
   */
  readonly onOpen?: () => Promise<void>;
  /** Called each time the subscription broke and is opened again. */
  readonly onBreak?: () => void;
}

/** The state of the store by the last answers and failures of its calls. */
export interface StoreStanding {
  /**
   * `unknown`: nothing was asked yet. `refused`: the store answers, and takes neither the credentials nor the
   * right to do what was asked.
   */
  readonly state: 'unknown' | 'reachable' | 'away' | 'refused';
  /** Unix time in milliseconds from which on it is so. */
  readonly sinceMs: number;
  /** The text of the last failure, without secrets. */
  readonly reason: string;
}

/**
 * The port to the event store. Implementations pass the contract suite in `@sluice/es/testing`.
 * Faults: `revision_conflict` (append), `event_store_unavailable` (any).
 */
export interface EventStore {
  /** Stands before the names of all streams on disk; empty for none. */
  readonly namespace: string;
  /**
   * Atomic and durable when the promise resolves. The same ids again give the same answer. Once the
   * signal is aborted nothing more is sent: what was on its way may still be written.
   */
  append(
    stream: string,
    events: readonly EventToAppend[],
    expected: ExpectedRevision,
    signal?: AbortSignal,
  ): Promise<AppendResult>;
  /**
   * Reads from `fromRevision` (inclusive) to the end; yields nothing for a stream that does not exist. Stops without
   * waiting for pending calls once the signal aborts.
   */
  read(stream: string, fromRevision?: bigint, signal?: AbortSignal): AsyncIterable<RecordedEvent>;
  /** The last event of the whole log, events of the store itself included; undefined for an empty log. */
  end(): Promise<EventMark | undefined>;
  /** The event that lies at exactly this position; undefined when the log has none there. */
  eventAt(position: Position): Promise<EventMark | undefined>;
  /** Catch-up, then live, in log order, in bounded batches; resumes by itself, at least once. */
  subscribe(options: SubscribeOptions): AsyncIterable<readonly SubscriptionMessage[]>;
  /** Returns the state without a call. A store in memory is never away and has no such method. */
  standing?(): StoreStanding;
}

export function comparePositions(a: Position, b: Position): -1 | 0 | 1 {
  if (a.commit !== b.commit) return a.commit < b.commit ? -1 : 1;
  if (a.prepare !== b.prepare) return a.prepare < b.prepare ? -1 : 1;
  return 0;
}
