import { Fault } from '@sluice/errors';
import {
  comparePositions,
  type EventStore,
  type Position,
  type RecordedEvent,
  type SubscribeOptions,
  type SubscriptionMessage,
} from '@sluice/es';
import { divergenceText } from './divergence.ts';
import { type History, historyOf } from './history.ts';
import { standingReasons } from './standing-reasons.ts';
import { LogWatch, type LogWatchOptions } from './log-watch.ts';

/** Bounds the wait of an answer for a comparison of the log. */
const comparedWithinMs = 3_000;

/** An event store that serves calls only while its log is the one that the read models know. */
export interface WatchedEventStore extends EventStore {
  /** Starts to compare the log. The schema must be migrated. */
  start(): void;
  stop(): Promise<void>;
  /**
   * Names the difference and the missing event, the store that is away, or the right that it denies. Empty while
   * nothing is wrong. Read models are served in each case.
   */
  degradation(): readonly string[];
  /** Returns the position up to which the log is known to be the same. Throws Fault event_store_diverged. */
  verified(): Promise<Position | undefined>;
  /** Counts the times that the log was found to differ. */
  divergences(): number;
  noteApplied(events: readonly RecordedEvent[]): void;
  /** Reads which events an operator skipped: reads mark them as left out from then on. */
  loadSkipped(): Promise<void>;
  /** The history that the last comparison found in force; undefined before the first one. */
  history(): History | undefined;
}

/**
 * Refuses calls with event_store_diverged while the log is not the one that the read models were made from. Answers a
 * call only if the log was compared after the last break of the connection.
 */
export function watchedEventStore(options: LogWatchOptions): WatchedEventStore {
  const { eventStore } = options;
  const watch = new LogWatch(options);
  return {
    namespace: eventStore.namespace,
    async append(...given) {
      watch.assertNotDiverged();
      const appended = await eventStore.append(...given);
      await inTime(watch.verifiedAfter(appended.position));
      return appended;
    },
    async *read(...given) {
      watch.assertNotDiverged();
      for await (const event of eventStore.read(...given))
        yield watch.skipped.has(event.id) ? { ...event, leftOut: 'skipped' } : event;
      await inTime(watch.verified());
    },
    end: () => eventStore.end(),
    eventAt: (position) => eventStore.eventAt(position),
    subscribe: (subscription) => subscribe(eventStore, watch, subscription),
    start: () => watch.start(),
    stop: () => watch.stop(),
    degradation: () => [
      ...(watch.divergence ? [divergenceText(watch.divergence)] : []),
      ...standingReasons(eventStore.standing?.()),
    ],
    verified: () => watch.verified(),
    divergences: () => watch.divergences,
    noteApplied: (events) => watch.noteApplied(events),
    loadSkipped: () => watch.loadSkipped(),
    history: () => (watch.histories === undefined ? undefined : historyOf(watch.histories)),
  };
}

/** Withholds the result of a call if the log cannot be compared. The caller may safely send the same call again. */
async function inTime(verified: Promise<unknown>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const message = 'The event store could not be compared with the read models';
  const fault = new Fault('event_store_unavailable', { message });
  const timer = setTimeout(() => reject(fault), comparedWithinMs);
  try {
    await Promise.race([verified, promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function* subscribe(
  eventStore: EventStore,
  watch: LogWatch,
  options: SubscribeOptions,
): AsyncGenerator<readonly SubscriptionMessage[]> {
  watch.assertNotDiverged();
  let position = options.after;
  const onOpen = async () => {
    const through = await watch.verifyAnew();
    // The log may differ behind this position. A projection starts again where the log is known.
    if (position !== 'start' && through && comparePositions(position, through) > 0)
      throw new Fault('event_store_unavailable', { message: 'The subscription goes too far' });
    await options.onOpen?.();
  };
  const onBreak = () => {
    watch.noteBreak();
    options.onBreak?.();
  };
  const signal = AbortSignal.any([options.signal, watch.diverging]);
  for await (const batch of eventStore.subscribe({ ...options, signal, onOpen, onBreak })) {
    watch.assertNotDiverged();
    yield batch;
    const last = batch.findLast((message) => message.kind !== 'caught_up');
    if (last) position = last.kind === 'event' ? last.event.position : last.position;
  }
  if (!options.signal.aborted) watch.assertNotDiverged();
}
