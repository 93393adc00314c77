import { AsyncLocalStorage } from 'node:async_hooks';

const signals = new AsyncLocalStorage<AbortSignal>();

/** Runs a handler with a signal that aborts when the caller has given up. */
export function withCallSignal<Result>(signal: AbortSignal, handler: () => Result): Result {
  return signals.run(signal, handler);
}

/** Aborted once the caller has left, and up to 250 ms before its deadline; undefined outside of a call. */
export function callSignal(): AbortSignal | undefined {
  return signals.getStore();
}
