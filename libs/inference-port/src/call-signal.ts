/** Signals that a call ends early: an AbortSignal, or an object with the same events. */
export interface CallSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Ends a call early. Each request has two of them, and an AbortController would be many times as large. */
export class CallAbort implements CallSignal {
  /** Most calls have one listener, which takes no list. */
  #listener: (() => void) | undefined;
  #others: readonly (() => void)[] = none;
  #reason: Error | undefined;

  get aborted(): boolean {
    return this.#reason !== undefined;
  }

  get reason(): Error | undefined {
    return this.#reason;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    if (this.#listener) this.#others = [...this.#others, listener];
    else this.#listener = listener;
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    if (this.#listener === listener) this.#listener = undefined;
    else if (this.#others.length > 0) this.#others = this.#others.filter((one) => one !== listener);
  }

  /** Calls each listener once. The first reason stays. */
  abort(reason: Error): void {
    if (this.aborted) return;
    this.#reason = reason;
    const [listener, others] = [this.#listener, this.#others];
    this.#listener = undefined;
    this.#others = none;
    listener?.();
    for (const other of others) other();
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
