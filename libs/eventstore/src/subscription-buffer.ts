import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  START,
  streamNameFilter,
  type AllStreamSubscription,
  type EventStoreDBClient,
} from '@eventstore/db-client';
import type { Position, SubscriptionMessage } from '@sluice/es';
import { recorded } from './recorded.ts';

const bufferedEventsMax = 256;
const batchMessagesMax = 512;
/** A checkpoint comes after this many events of other streams. */
const searchWindowEvents = 256;
const checkpointWindows = 4;

/** What a checkpoint or the word "caught up" stands behind: so many events came before it. */
interface Marker {
  readonly eventsBefore: number;
  readonly message: SubscriptionMessage;
}

/**
 * One subscription of the client as batches. The client tells of checkpoints and of having caught
 * up as soon as they arrive, ahead of events that lie in its buffer; here they keep their place.
 */
export class SubscriptionBuffer {
  readonly #subscription: AllStreamSubscription;
  readonly #markers: Marker[] = [];
  #eventsTaken = 0;
  #failure: unknown;
  #closed = false;
  #wake = () => {};

  constructor(client: EventStoreDBClient, after: Position | 'start', prefixes: readonly string[]) {
    const filter = streamNameFilter({
      prefixes: [...prefixes],
      maxSearchWindow: searchWindowEvents,
      checkpointInterval: checkpointWindows,
      checkpointReached: (_subscription, position) => this.#mark({ kind: 'checkpoint', position }),
    });
    const fromPosition = after === 'start' ? START : after;
    this.#subscription = client.subscribeToAll(
      { fromPosition, filter },
      { highWaterMark: bufferedEventsMax },
    );
    this.#subscription
      .on('caughtUp', () => this.#mark({ kind: 'caught_up' }))
      .on('readable', () => this.#wake())
      .on('end', () => this.#fail(new Error('The subscription was ended')))
      .on('error', (error) => this.#fail(error));
  }

  /** At least one message; undefined when the signal aborts. Throws what ended the subscription. */
  async take(signal: AbortSignal): Promise<readonly SubscriptionMessage[] | undefined> {
    for (;;) {
      if (signal.aborted) return undefined;
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      const batch = this.#takeBuffered();
      if (batch.length > 0) return batch;
      if (this.#failure !== undefined) throw this.#failure;
      const aborted = () => this.#wake();
      signal.addEventListener('abort', aborted);
      await woken;
      signal.removeEventListener('abort', aborted);
      // The client reads on in this turn of the event loop, message by message: they become one batch.
      await nextTurn();
    }
  }

  close(): void {
    this.#closed = true;
    this.#subscription.unsubscribe().catch(() => {});
    this.#subscription.destroy();
  }

  #takeBuffered(): readonly SubscriptionMessage[] {
    const batch: SubscriptionMessage[] = [];
    while (batch.length < batchMessagesMax) {
      const marker = this.#markers[0];
      if (marker && marker.eventsBefore <= this.#eventsTaken) {
        this.#markers.shift();
        batch.push(marker.message);
        continue;
      }
      const resolved = this.#subscription.read();
      if (resolved === null) break;
      this.#eventsTaken++;
      if (resolved.event) batch.push({ kind: 'event', event: recorded(resolved.event) });
    }
    return batch;
  }

  #mark(message: SubscriptionMessage): void {
    const eventsBefore = this.#eventsTaken + this.#subscription.readableLength;
    this.#markers.push({ eventsBefore, message });
    this.#wake();
  }

  #fail(error: unknown): void {
    if (this.#closed) return;
    this.#failure ??= error;
    this.#wake();
  }
}
