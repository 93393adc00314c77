import type { CallSignal } from '@sluice/providers';

/**
 * What an AbortSignal would be for the attempts of one generation, for a tenth of its cost: attempts are made one after
 * the other, so that one listens at a time.
 */
export class AttemptSignal implements CallSignal {
  #listener: (() => void) | undefined;
  #isAborted = false;
  #reason: unknown;

  get aborted(): boolean {
    return this.#isAborted;
  }

  get reason(): unknown {
    return this.#reason;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listener = listener;
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    if (this.#listener === listener) this.#listener = undefined;
  }

  /** Only the first time. */
  abort(reason: unknown): void {
    if (this.#isAborted) return;
    this.#isAborted = true;
    this.#reason = reason;
    this.#listener?.();
  }
}
