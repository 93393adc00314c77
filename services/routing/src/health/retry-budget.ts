import { Counts } from './counts.ts';

const slotMs = 1_000;
const slots = 10;
const share = 0.2;
/** The retries that are always allowed in ten seconds. */
const retriesMin = 20;

/** Limits retries to a fifth of the requests of the last ten seconds, so that an outage causes no retry storm. */
export class RetryBudget {
  readonly #nowMs: () => number;
  readonly #requests = new Counts(slotMs, slots);
  readonly #retries = new Counts(slotMs, slots);

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  began(): void {
    this.#requests.add(true, this.#nowMs());
  }

  /** Takes one retry. Returns false if there is none. */
  take(): boolean {
    const nowMs = this.#nowMs();
    const retries = this.#retries.sum(slots, nowMs).successes;
    const requests = this.#requests.sum(slots, nowMs).successes;
    if (retries >= Math.max(retriesMin, requests * share)) return false;
    this.#retries.add(true, nowMs);
    return true;
  }
}
