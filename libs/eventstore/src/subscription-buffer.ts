import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Position, SubscriptionMessage } from '@sluice/es';
import type { ReadResp } from '@sluice/protos/event_store/client/streams';
import type { StoreClient, SubscriptionCall } from './store-client.ts';
import { callError, callSubscription } from './subscription-call.ts';
import { messageOf } from './subscription-message.ts';

/** So many wait here to be taken; then the server waits. */
const bufferedMessagesMax = 512;

/** One subscription as batches: what came since the last one was taken. */
export class SubscriptionBuffer {
  readonly #opened: Promise<void>;
  #call: SubscriptionCall | undefined;
  #messages: SubscriptionMessage[] = [];
  #failure: unknown;
  #closed = false;
  #confirmed = false;
  #wake = () => {};

  constructor(client: StoreClient, after: Position | 'start', prefixes: readonly string[]) {
    this.#opened = callSubscription(client, after, prefixes)
      .then((call) => this.#listen(call))
      .catch((error: unknown) => this.#fail(error));
  }

  /** Resolves with true once the server has confirmed it, with false if the signal aborts. Throws what ended it. */
  async opened(signal: AbortSignal): Promise<boolean> {
    while (!this.#confirmed) {
      if (signal.aborted) return false;
      if (this.#failure !== undefined) throw this.#failure;
      await this.#change(signal);
    }
    return true;
  }

  /** At least one message; undefined when the signal aborts. Throws what ended the subscription. */
  async take(signal: AbortSignal): Promise<readonly SubscriptionMessage[] | undefined> {
    for (;;) {
      if (signal.aborted) return undefined;
      const batch = this.#takeBuffered();
      if (batch.length > 0) return batch;
      if (this.#failure !== undefined) throw this.#failure;
      await this.#change(signal);
      // Messages of the same tick of the event loop become one batch.
      await nextTurn();
    }
  }

  close(): void {
    this.#closed = true;
    // The transport does not bear being cancelled in the turn in which the call was made.
    setImmediate(() => void this.#opened.then(() => this.#call?.cancel()));
  }

  /** Waits for a message, the end of the subscription or the signal. */
  async #change(signal: AbortSignal): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    const aborted = () => this.#wake();
    signal.addEventListener('abort', aborted);
    await woken;
    signal.removeEventListener('abort', aborted);
  }

  #listen(call: SubscriptionCall): void {
    this.#call = call;
    call
      .on('data', (response: ReadResp) => this.#receive(call, response))
      .on('end', () => this.#fail(new Error('The subscription was ended')))
      .on('error', (error) => this.#fail(callError(error)));
  }

  #receive(call: SubscriptionCall, response: ReadResp): void {
    try {
      const message = messageOf(response);
      if (!this.#confirmed) {
        this.#confirmed = true;
        this.#wake();
      }
      if (message === undefined) return;
      this.#messages.push(message);
      if (this.#messages.length >= bufferedMessagesMax) call.pause();
      this.#wake();
    } catch (error) {
      this.#fail(error);
    }
  }

  #takeBuffered(): readonly SubscriptionMessage[] {
    const batch = this.#messages;
    this.#messages = [];
    if (this.#call?.isPaused()) this.#call.resume();
    return batch;
  }

  #fail(error: unknown): void {
    if (this.#closed) return;
    this.#failure ??= error;
    this.#wake();
  }
}
