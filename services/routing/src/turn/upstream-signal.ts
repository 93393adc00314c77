import type { CallSignal } from '@sluice/providers';

/** Ends the upstream calls of a response. Each request has one, and an AbortController would be many times as large. */
export class UpstreamSignal implements CallSignal {
  #listeners: readonly (() => void)[] = [];
  #reason: Error | undefined;

  get aborted(): boolean {
    return this.#reason !== undefined;
  }

  get reason(): Error | undefined {
    return this.#reason;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners = [...this.#listeners, listener];
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners = this.#listeners.filter((one) => one !== listener);
  }

  /** Calls each listener once. The first reason stays. */
  abort(reason: Error): void {
    if (this.aborted) return;
    this.#reason = reason;
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
  }
}
