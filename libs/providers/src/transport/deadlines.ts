/** The time limits of a call, in milliseconds. */
export interface CallLimits {
  /** From the call to the status and headers. */
  readonly headersTimeoutMs: number;
  /**
   * From the call to the first output. An answer that is not streamed arrives at once, so the limit must
   * suffice for all of it.
   */
  readonly firstOutputTimeoutMs: number;
  /**
   * Between two reads of a stream, after the first output. A stream that sends only keep-alives ends after five
   * times this limit.
   */
  readonly idleTimeoutMs: number;
}

/** A call with deadlines. */
export interface Timed {
  onExpired(what: string): void;
}

const quietFactor = 5;
const noAnswer = 'The provider sent no answer in time';
const noOutput = 'The provider sent no output in time';

/**
 * The timers of one call. At most one deadline fires, once. A process that was blocked for longer than a deadline
 * first reads the bytes that arrived meanwhile, so that its own delay does not count as the upstream's silence.
 */
export class Deadlines {
  readonly #limits: CallLimits;
  readonly #call: Timed;
  #headers: NodeJS.Timeout | undefined;
  #output: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  #quiet: NodeJS.Timeout | undefined;
  #awaitsHeaders = false;
  #reads = 0;
  #progress = 0;

  constructor(limits: CallLimits, call: Timed) {
    this.#limits = limits;
    this.#call = call;
    // Most calls have one limit for both, so one timer suffices.
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

  /** Starts the idle deadlines. */
  outputBegan(): void {
    this.clear();
    const { idleTimeoutMs } = this.#limits;
    this.#idle = this.#after(idleTimeoutMs, 'The provider fell silent');
    this.#quiet = this.#after(quietFactor * idleTimeoutMs, 'The provider says nothing any more');
  }

  /** Restarts the idle deadline after a read, or when a paused reply resumes. */
  active(): void {
    this.#reads += 1;
    this.#idle?.refresh();
  }

  /** Restarts the quiet deadline after parts, not only keep-alives, or when a paused reply resumes. */
  progressed(): void {
    this.#progress += 1;
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
      const before = { reads: this.#reads, progress: this.#progress };
      setImmediate(() => {
        if (this.#isDue(timer, before)) this.#call.onExpired(this.#awaitsHeaders ? noAnswer : what);
      });
    }, timeoutMs);
    return timer;
  }

  #isDue(
    timer: NodeJS.Timeout,
    before: { readonly reads: number; readonly progress: number },
  ): boolean {
    if (timer === this.#idle) return this.#reads === before.reads;
    if (timer === this.#quiet) return this.#progress === before.progress;
    return timer === this.#headers || timer === this.#output;
  }
}
