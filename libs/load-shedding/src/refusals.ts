import type { Logger } from '@sluice/logging';

export interface RefusalsOptions<Reason extends string> {
  readonly logger: Pick<Logger, 'warn'>;
  readonly counter: { add(value: number, labels: { readonly reason: Reason }): void };
}

const logEveryMs = 10_000;

/**
 * Counts refusals by their reason. The first one is logged at once. Of the others, the log has the number by reason
 * every ten seconds, because a line each would cost more than the refusal.
 */
export class Refusals<Reason extends string> {
  readonly #options: RefusalsOptions<Reason>;
  readonly #counts = new Map<Reason, number>();
  #isWaiting = false;

  constructor(options: RefusalsOptions<Reason>) {
    this.#options = options;
  }

  add(reason: Reason): void {
    this.#options.counter.add(1, { reason });
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1);
    if (!this.#isWaiting) this.#log();
  }

  #log(): void {
    this.#isWaiting = this.#counts.size > 0;
    if (!this.#isWaiting) return;
    for (const [reason, count] of this.#counts)
      this.#options.logger.warn('requests are refused', { code: 'overloaded', reason, count });
    this.#counts.clear();
    setTimeout(() => this.#log(), logEveryMs).unref();
  }
}
