import { Fault } from '@sluice/errors';
import {
  comparePositions,
  type EventStore,
  type Position,
  type SubscriptionMessage,
} from '@sluice/es';

export interface ReadLogOptions {
  readonly eventStore: Pick<EventStore, 'subscribe'>;
  readonly streamPrefixes: readonly string[];
  /** Exclusive; undefined is the start of the log. */
  readonly after: Position | undefined;
  /** Inclusive; without it to the end of the log as it is when the reading begins. */
  readonly until?: Position;
  /** Longest time without data; 15 s when absent. */
  readonly silenceMsMax?: number;
  readonly signal: AbortSignal;
}

const silenceMsMaxDefault = 15_000;
/** A batch is a transaction: it waits until it has so many, while those to come are on their way. */
const batchMessagesMin = 512;

/**
 * The messages behind a position, in bounded batches, and then an end: all that was in the log when
 * the reading began (and not behind `until`) has been delivered. Throws the signal's reason, and
 * Fault event_store_unavailable after too long without data.
 */
export async function* readLog(
  options: ReadLogOptions,
): AsyncGenerator<readonly SubscriptionMessage[], void, undefined> {
  const { eventStore, streamPrefixes, after = 'start', until, signal } = options;
  const { silenceMsMax = silenceMsMaxDefault } = options;
  const silence = new AbortController();
  const listen = () => setTimeout(() => silence.abort(), silenceMsMax);
  const ended = AbortSignal.any([signal, silence.signal]);
  let silent = listen();
  let gathered: SubscriptionMessage[] = [];
  try {
    for await (const batch of eventStore.subscribe({ after, streamPrefixes, signal: ended })) {
      // Stop the timer while the batch is processed.
      clearTimeout(silent);
      const wanted = until === undefined ? batch : batch.filter((each) => !isBehind(each, until));
      gathered.push(...wanted);
      const isLast = wanted.length < batch.length || batch.some(({ kind }) => kind === 'caught_up');
      if (gathered.length > 0 && (isLast || gathered.length >= batchMessagesMin)) {
        yield gathered;
        gathered = [];
      }
      if (isLast) return;
      silent = listen();
    }
  } finally {
    clearTimeout(silent);
  }
  signal.throwIfAborted();
  throw new Fault('event_store_unavailable', {
    message: `The event store has said nothing for ${silenceMsMax / 1_000} s`,
  });
}

function isBehind(message: SubscriptionMessage, until: Position): boolean {
  if (message.kind === 'caught_up') return false;
  const position = message.kind === 'event' ? message.event.position : message.position;
  return comparePositions(position, until) > 0;
}
