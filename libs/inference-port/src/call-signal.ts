/** Signals that a call ends early: an AbortSignal, or an object with the same events. */
export interface CallSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Ends a call early. Each request has two of them, and an AbortController would be many times as large. */
export class CallAbort implements CallSignal {
  #listeners: readonly (() => void)[] = none;
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
    this.#listeners = none;
    for (const listener of listeners) listener();
  }
}

const none: readonly never[] = [];

/** Returns an AbortSignal that follows the signal of a call, for an API that takes no other. */
export function abortSignalOf(signal: CallSignal): AbortSignal {
  if (signal instanceof AbortSignal) return signal;
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort);
  return controller.signal;
}
