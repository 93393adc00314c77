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

/** The clocks of one call: at most one of its deadlines fires, once. */
export class Deadlines {
  readonly #limits: CallLimits;
  readonly #onExpired: (what: string) => void;
  #headers: NodeJS.Timeout | undefined;
  #output: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(limits: CallLimits, onExpired: (what: string) => void) {
    this.#limits = limits;
    this.#onExpired = onExpired;
    this.#headers = this.#after(limits.headersTimeoutMs, 'The provider sent no answer in time');
    this.#output = this.#after(limits.firstOutputTimeoutMs, 'The provider sent no output in time');
  }

  headersArrived(): void {
    clearTimeout(this.#headers);
  }

  /** Idle time counts from here. */
  outputBegan(): void {
    clearTimeout(this.#headers);
    clearTimeout(this.#output);
    this.#idle = this.#after(this.#limits.idleTimeoutMs, 'The provider fell silent');
  }

  /** Something was read, or is awaited again after a pause of ours. */
  active(): void {
    this.#idle?.refresh();
  }

  clear(): void {
    clearTimeout(this.#headers);
    clearTimeout(this.#output);
    clearTimeout(this.#idle);
    this.#idle = undefined;
  }

  #after(timeoutMs: number, what: string): NodeJS.Timeout {
    return setTimeout(() => this.#onExpired(what), timeoutMs);
  }
}
