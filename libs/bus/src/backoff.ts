import { setTimeout as sleep } from 'node:timers/promises';

/** Doubles from the shortest to the longest, with up to a fifth more or less. */
export interface Backoff {
  nextMs(): number;
  reset(): void;
}

export function createBackoff(shortestMs: number, longestMs: number): Backoff {
  let attempts = 0;
  return {
    nextMs() {
      const fullMs = Math.min(longestMs, shortestMs * 2 ** Math.min(attempts++, 20));
      return Math.round(fullMs * (0.8 + 0.4 * Math.random()));
    },
    reset() {
      attempts = 0;
    },
  };
}

/** Ends early, without an error, when the signal aborts. */
export async function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  await sleep(durationMs, undefined, { signal, ref: false }).catch(() => {});
}
