import { setTimeout as delay } from 'node:timers/promises';
import type { Books } from './books.ts';

export interface CapsWatch {
  /** The most that was charged, in suspense and on lease beyond the limits at any look. */
  readonly overspendNanoUsd: bigint;
  /** How often could be looked: not while the database is away. */
  readonly looks: number;
  stop(): Promise<void>;
}

const intervalMs = 50;

/** Looks again and again: a cap holds at every instant, not just when all is settled. */
export function watchCaps(books: Pick<Books, 'overspendNanoUsd'>): CapsWatch {
  const stopping = new AbortController();
  let overspendNanoUsd = 0n;
  let looks = 0;
  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      const over = await books.overspendNanoUsd().catch(() => undefined);
      if (over !== undefined) looks++;
      if (over !== undefined && over > overspendNanoUsd) overspendNanoUsd = over;
      await delay(intervalMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }
  const watching = watch();
  return {
    get overspendNanoUsd() {
      return overspendNanoUsd;
    },
    get looks() {
      return looks;
    },
    async stop() {
      stopping.abort();
      await watching;
    },
  };
}
