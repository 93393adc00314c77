import { setTimeout as delay } from 'node:timers/promises';

export interface Rate {
  readonly perSecond: number;
  /** Number of open requests at which those that are due are skipped. */
  readonly openMax: number;
  readonly onSkipped?: () => void;
}

/** Requests that are sent at a rate. */
export interface Sending {
  /** Sends nothing more. Resolves when every request has ended. */
  stop(): Promise<void>;
}

const tickMs = 20;

/** Sends requests at a fixed rate, without waiting for earlier ones, until it is stopped. */
export function sendAtRate(
  { perSecond, openMax, onSkipped }: Rate,
  send: (number: number) => Promise<void>,
): Sending {
  const ending = new AbortController();
  const open = new Set<Promise<void>>();
  const running = (async () => {
    const startedMs = performance.now();
    for (let number = 0; !ending.signal.aborted;) {
      const due = Math.floor(((performance.now() - startedMs) / 1_000) * perSecond);
      for (; number < due; number++)
        if (open.size < openMax) {
          const sending = send(number).finally(() => open.delete(sending));
          open.add(sending);
        } else onSkipped?.();
      await delay(tickMs);
    }
  })();
  return {
    async stop() {
      ending.abort();
      await running;
      await Promise.all(open);
    },
  };
}
