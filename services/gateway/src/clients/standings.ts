import { setTimeout as delay } from 'node:timers/promises';
import type { StandingServiceService } from '@sluice/protos/sluice/standing/v1/standing';
import type { Calls } from '@sluice/rpc';

export type StandingCalls = Calls<StandingServiceService>;

const askEachMs = 1_000;

/**
 * Knows why other services serve only a part, such as an event store that is not the one that they know. The gateway
 * reports it, because commands that it takes fail there.
 */
export class Standings {
  readonly #services: readonly StandingCalls[];
  readonly #reasons = new Map<StandingCalls, readonly string[]>();

  constructor(services: readonly StandingCalls[]) {
    this.#services = services;
  }

  /** Asks once a second until the signal aborts. */
  follow(signal: AbortSignal): void {
    for (const service of this.#services) void this.#follow(service, signal);
  }

  reasons(): readonly string[] {
    return [...new Set(this.#services.flatMap((service) => this.#reasons.get(service) ?? []))];
  }

  async #follow(service: StandingCalls, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const { degradation } = await service.getStanding({});
        this.#reasons.set(service, degradation);
      } catch {
        // The last answer may be out of date. A service that does not answer is down, and the probe shows that.
        this.#reasons.delete(service);
      }
      await delay(askEachMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}
