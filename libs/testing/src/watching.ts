import { setTimeout as delay } from 'node:timers/promises';

/** Looks again and again until it is disposed of. */
export function watching(everyMs: number, look: () => Promise<void> | void): AsyncDisposable {
  const ending = new AbortController();
  const { signal } = ending;
  const running = (async () => {
    while (!signal.aborted) {
      await look();
      await delay(everyMs, undefined, { signal }).catch(() => undefined);
    }
  })();
  running.catch(() => undefined);
  return {
    async [Symbol.asyncDispose]() {
      ending.abort();
      await running;
    },
  };
}
