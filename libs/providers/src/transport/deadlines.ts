/** How long an upstream may take, in milliseconds. */
export interface CallLimits {
  /** From the call to the status and headers. */
  readonly headersTimeoutMs: number;
  /**
   * From the call to the first output. An answer that is not streamed comes all at once, so this
   * must leave room for the whole of it.
   */
  readonly firstOutputTimeoutMs: number;
  /** Between two reads of a stream, after the first output. */
  readonly idleTimeoutMs: number;
}

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
  #reads = 0;

  constructor(limits: CallLimits, onExpired: (what: string) => void) {
    this.#limits = limits;
    this.#onExpired = onExpired;
    this.#headers = this.#after(limits.headersTimeoutMs, 'The provider sent no answer in time');
    this.#output = this.#after(limits.firstOutputTimeoutMs, 'The provider sent no output in time');
  }

  headersArrived(): void {
    clearTimeout(this.#headers);
    this.#headers = undefined;
  }

  /** Idle time counts from here. */
  outputBegan(): void {
    this.clear();
    this.#idle = this.#after(this.#limits.idleTimeoutMs, 'The provider fell silent');
  }

  /** Something was read, or is awaited again after a pause of ours. */
  active(): void {
    this.#reads += 1;
    this.#idle?.refresh();
  }

  clear(): void {
    for (const timer of [this.#headers, this.#output, this.#idle]) clearTimeout(timer);
    this.#headers = undefined;
    this.#output = undefined;
    this.#idle = undefined;
  }

  #after(timeoutMs: number, what: string): NodeJS.Timeout {
    const timer = setTimeout(() => {
      const readsBefore = this.#reads;
      setImmediate(() => {
        if (this.#isDue(timer, readsBefore)) this.#onExpired(what);
      });
    }, timeoutMs);
    return timer;
  }

  #isDue(timer: NodeJS.Timeout, readsBefore: number): boolean {
    if (timer === this.#idle) return this.#reads === readsBefore;
    return timer === this.#headers || timer === this.#output;
  }
}
