/** An election takes up to 2.1 s. What lasts longer is an outage, in which callers do not wait. */
const outageMs = 3_000;
/** A store that is back is noticed after this time plus the length of a probe. */
const probeIntervalMs = 500;

export interface Failure {
  /** When the call that has failed began. */
  readonly sinceMs: number;
  readonly nowMs: number;
  readonly reason: string;
}

/** Failures in a row, and when to try again. */
export class Outage {
  readonly #forgottenMs: number;
  #sinceMs: number | undefined;
  #lastMs = 0;
  #probedMs = 0;
  #reason = '';

  /** Failures that are further apart than `forgottenMs` belong to different outages. */
  constructor(forgottenMs: number) {
    this.#forgottenMs = forgottenMs;
  }

  failed({ sinceMs, nowMs, reason }: Failure): void {
    if (nowMs - this.#lastMs > this.#forgottenMs) this.#sinceMs = undefined;
    this.#sinceMs ??= sinceMs;
    this.#lastMs = nowMs;
    this.#reason = reason;
  }

  /** True when there were failures. */
  end(): boolean {
    const had = this.#sinceMs !== undefined;
    this.#sinceMs = undefined;
    return had;
  }

  /** Failures have followed each other for so long that callers do not wait for the end. */
  isLong(nowMs: number): boolean {
    if (this.#sinceMs === undefined || nowMs - this.#lastMs > this.#forgottenMs) return false;
    return nowMs - this.#sinceMs >= outageMs;
  }

  mayProbe(nowMs: number): boolean {
    return nowMs - this.#probedMs >= probeIntervalMs;
  }

  probed(nowMs: number): void {
    this.#probedMs = nowMs;
  }

  facts(): { readonly sinceMs: number; readonly reason: string } {
    return { sinceMs: this.#sinceMs ?? this.#lastMs, reason: this.#reason };
  }
}
