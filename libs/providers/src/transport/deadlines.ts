/** How long an upstream may take, in milliseconds. */
export interface CallLimits {
  /** From the call to the status and headers. */
  readonly headersTimeoutMs: number;
  /**
   * From the call to the first output. An answer that is not streamed comes all at once, so this
   * must leave room for the whole of it.
   */
  readonly firstOutputTimeoutMs: number;
  /**
   * Between two reads of a stream, after the first output. One that says nothing but signs of life has five
   * times as long.
   */
  readonly idleTimeoutMs: number;
}

const quietFactor = 5;
const noAnswer = 'The provider sent no answer in time';
const noOutput = 'The provider sent no output in time';

/**
 * The clocks of one call: at most one of its deadlines fires, once. A process that was held up for longer
 * than a deadline first reads what came meanwhile: its own slowness is not the upstream's silence.
 */
export class Deadlines {
  readonly #limits: CallLimits;
  readonly #onExpired: (what: string) => void;
  #headers: NodeJS.Timeout | undefined;
  #output: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  #quiet: NodeJS.Timeout | undefined;
  #awaitsHeaders = false;
  #reads = 0;
  #told = 0;

  constructor(limits: CallLimits, onExpired: (what: string) => void) {
    this.#limits = limits;
    this.#onExpired = onExpired;
    // Most calls have one time for both: one timer does then.
    if (limits.headersTimeoutMs < limits.firstOutputTimeoutMs)
      this.#headers = this.#after(limits.headersTimeoutMs, noAnswer);
    else if (limits.headersTimeoutMs === limits.firstOutputTimeoutMs) this.#awaitsHeaders = true;
    this.#output = this.#after(limits.firstOutputTimeoutMs, noOutput);
  }

  headersArrived(): void {
    this.#awaitsHeaders = false;
    clearTimeout(this.#headers);
    this.#headers = undefined;
  }

  /** Idle time counts from here. */
  outputBegan(): void {
    this.clear();
    const { idleTimeoutMs } = this.#limits;
    this.#idle = this.#after(idleTimeoutMs, 'The provider fell silent');
    this.#quiet = this.#after(quietFactor * idleTimeoutMs, 'The provider says nothing any more');
  }

  /** Something was read, or is awaited again after a pause of ours. */
  active(): void {
    this.#reads += 1;
    this.#idle?.refresh();
  }

  /** Something was told, not only a sign of life; or is awaited again after a pause of ours. */
  told(): void {
    this.#told += 1;
    this.#quiet?.refresh();
  }

  clear(): void {
    this.#awaitsHeaders = false;
    clearTimeout(this.#headers);
    clearTimeout(this.#output);
    clearTimeout(this.#idle);
    clearTimeout(this.#quiet);
    this.#headers = undefined;
    this.#output = undefined;
    this.#idle = undefined;
    this.#quiet = undefined;
  }

  #after(timeoutMs: number, what: string): NodeJS.Timeout {
    const timer = setTimeout(() => {
      const before = { reads: this.#reads, told: this.#told };
      setImmediate(() => {
        if (this.#isDue(timer, before)) this.#onExpired(this.#awaitsHeaders ? noAnswer : what);
      });
    }, timeoutMs);
    return timer;
  }

  #isDue(
    timer: NodeJS.Timeout,
    before: { readonly reads: number; readonly told: number },
  ): boolean {
    if (timer === this.#idle) return this.#reads === before.reads;
    if (timer === this.#quiet) return this.#told === before.told;
    return timer === this.#headers || timer === this.#output;
  }
}
