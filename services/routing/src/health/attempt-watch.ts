import type { ErrorCode } from '@sluice/errors';
import type { PlannedAttempt } from '../selection/plan.ts';
import type { EndpointHealth } from './endpoint-health.ts';

const patienceMsMin = 2_500;
/** A multiple of the time within which nearly all answers begin. */
const patienceFactor = 10;

/** Records the result of one attempt in the endpoint's health. Attempts with own credentials do not count. */
export class AttemptWatch {
  readonly #health: EndpointHealth;
  readonly #id: string;
  readonly #isStreamed: boolean;
  readonly #counts: boolean;
  readonly #startedMs = performance.now();
  #firstMs = 0;

  constructor(health: EndpointHealth, planned: PlannedAttempt, isStreamed: boolean) {
    this.#health = health;
    this.#id = planned.endpoint.id;
    this.#isStreamed = isStreamed;
    this.#counts = planned.credential === undefined;
    if (this.#counts) health.began(this.#id);
  }

  /** The time limit if another endpoint could be tried. undefined for the usual limit. */
  patienceMs(): number | undefined {
    const usualMs = this.#health.usualLatencyMs(this.#id, { isStreamed: this.#isStreamed });
    return usualMs === undefined ? undefined : Math.max(patienceMsMin, patienceFactor * usualMs);
  }

  began(): void {
    this.#firstMs = performance.now();
    if (!this.#counts) return;
    const latencyMs = this.#firstMs - this.#startedMs;
    this.#health.succeeded(this.#id, latencyMs, { isStreamed: this.#isStreamed });
  }

  failed(code: ErrorCode): void {
    if (this.#counts) this.#health.failed(this.#id, code);
  }

  /** Records the end of the answer. */
  ended(outputTokens: number): void {
    const since = this.#isStreamed ? this.#firstMs : this.#startedMs;
    if (this.#counts) this.#health.ended(this.#id, outputTokens, performance.now() - since);
  }

  calledTools(areBad: boolean): void {
    if (this.#counts) this.#health.calledTools(this.#id, { areBad });
  }
}
