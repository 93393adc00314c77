import { Fault } from '@sluice/errors';
import { Unanswered } from './failure.ts';

/** Attempts that were sent just now. More wait in order. */
const freshMax = 32;
/** Bounds the attempts that still wait for an answer. The oldest ends when a newer one comes. */
const silentMax = 48;
const waitingMax = 10_000;

/** The place of one attempt. */
export interface Place {
  /** Gives the place to the next attempt while this one goes on listening, until `makeWay`. */
  fallSilent(makeWay: () => void): void;
  leave(): void;
}

/**
 * Bounds the calls that are open at a time, below the 100 that a connection of the server takes. An
 * attempt that hangs gives its place to the next one, so that it holds up no other.
 */
export class AttemptRoom {
  #fresh = 0;
  readonly #waiting = new Set<() => void>();
  readonly #silent = new Set<() => void>();

  /** Waits for a place. Throws when too many wait, and `Unanswered` once the signal is aborted. */
  async enter(signal: AbortSignal): Promise<Place> {
    if (this.#fresh < freshMax) this.#fresh++;
    else await this.#wait(signal);
    return this.#place();
  }

  async #wait(signal: AbortSignal): Promise<void> {
    if (this.#waiting.size >= waitingMax)
      throw new Fault('event_store_unavailable', { retryAfterSeconds: 1 });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = () => {
      this.#waiting.delete(resolve);
      reject(new Unanswered());
    };
    this.#waiting.add(resolve);
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  #place(): Place {
    let isFresh = true;
    let listening: (() => void) | undefined;
    const giveUpFresh = () => {
      if (isFresh) this.#handOver();
      isFresh = false;
    };
    return {
      fallSilent: (makeWay) => {
        if (!isFresh) return;
        giveUpFresh();
        listening = makeWay;
        this.#silent.add(makeWay);
        const [oldest] = this.#silent;
        if (this.#silent.size > silentMax) oldest?.();
      },
      leave: () => {
        giveUpFresh();
        if (listening) this.#silent.delete(listening);
      },
    };
  }

  /** The one that waits takes the place over, so the count stays. */
  #handOver(): void {
    const [next] = this.#waiting;
    if (!next) this.#fresh--;
    else {
      this.#waiting.delete(next);
      next();
    }
  }
}
