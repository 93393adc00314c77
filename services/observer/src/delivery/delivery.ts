import { setTimeout as delay } from 'node:timers/promises';
import { claim, type Claimed, renew } from '../store/deliveries.ts';
import { serve, type ServeDeps } from './serve.ts';

/** Destinations that are served at one time, by whether their last attempt failed. */
const slotsMax = { healthy: 64, failing: 32 } as const;
const pollMs = 200;
/** The destinations of a killed process are served by another one after this time. */
const leaseMs = 6_000;
const renewMs = 2_000;

/**
 * Serves destinations until the signal aborts: each has its own position, and those that were not served for longest
 * come first. Destinations that fail or hang have places of their own, so that they only delay each other.
 */
export class Delivery {
  readonly #deps: ServeDeps;
  readonly #running = { healthy: new Set<Promise<void>>(), failing: new Set<Promise<void>>() };
  readonly #leased = new Set<string>();
  #wake: () => void = () => {};

  constructor(deps: ServeDeps) {
    this.#deps = deps;
  }

  /** There may be something to send. */
  wake(): void {
    this.#wake();
  }

  async run(): Promise<void> {
    const ended = new AbortController();
    const renewing = this.#renew(ended.signal);
    await this.#serveAll();
    ended.abort();
    await renewing;
  }

  async #serveAll(): Promise<void> {
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

  /** Keeps the leases of the destinations that are being served. */
  async #renew(signal: AbortSignal): Promise<void> {
    const { database, clock, logger } = this.#deps;
    while (!signal.aborted) {
      await delay(renewMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted || this.#leased.size === 0) continue;
      const until = new Date(clock.now().getTime() + leaseMs);
      await renew(database, [...this.#leased], until).catch((error: unknown) =>
        logger.warn('leases of destinations cannot be renewed now', { error }),
      );
    }
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
    const { destinationId } = claimed;
    this.#leased.add(destinationId);
    const onReleasing = () => void this.#leased.delete(destinationId);
    const served = serve(this.#deps, claimed, onReleasing).finally(() => {
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
