import { setTimeout as delay } from 'node:timers/promises';
import { claim, type Claimed } from '../store/deliveries.ts';
import { leaseMs, serve, type ServeDeps } from './serve.ts';

/** Destinations that are served at one time, by whether their last attempt failed. */
const slotsMax = { healthy: 64, failing: 32 } as const;
const pollMs = 200;

/**
 * Serves destinations until the signal aborts: each has its own position, and those that were not served for longest
 * come first. Destinations that fail or hang have places of their own, so that they only delay each other.
 */
export class Delivery {
  readonly #deps: ServeDeps;
  readonly #running = { healthy: new Set<Promise<void>>(), failing: new Set<Promise<void>>() };
  #wake: () => void = () => {};

  constructor(deps: ServeDeps) {
    this.#deps = deps;
  }

  /** There may be something to send. */
  wake(): void {
    this.#wake();
  }

  async run(): Promise<void> {
    const { signal, logger, destinations } = this.#deps;
    while (!signal.aborted) {
      let count = 0;
      try {
        if (!destinations.isEmpty)
          count = (await this.#fill('healthy')) + (await this.#fill('failing'));
      } catch (error) {
        logger.warn('destinations cannot be looked for now', { error });
      }
      if (count === 0) await this.#untilWoken();
    }
    await Promise.all([...this.#running.healthy, ...this.#running.failing]);
  }

  async #fill(kind: keyof typeof slotsMax): Promise<number> {
    const { database, clock } = this.#deps;
    const running = this.#running[kind];
    const limit = slotsMax[kind] - running.size;
    if (limit <= 0) return 0;
    const isFailing = kind === 'failing';
    const claimed = await claim(database, { now: clock.now(), leaseMs, limit, isFailing });
    for (const one of claimed) this.#begin(one, running);
    return claimed.length;
  }

  #begin(claimed: Claimed, running: Set<Promise<void>>): void {
    const served = serve(this.#deps, claimed).finally(() => {
      running.delete(served);
      this.wake();
    });
    running.add(served);
  }

  async #untilWoken(): Promise<void> {
    const { signal } = this.#deps;
    const waiting = new AbortController();
    this.#wake = () => waiting.abort();
    const any = AbortSignal.any([signal, waiting.signal]);
    await delay(pollMs, undefined, { signal: any }).catch(() => undefined);
    this.#wake = () => {};
  }
}
