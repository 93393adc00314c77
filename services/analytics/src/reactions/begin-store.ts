import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '@sluice/clock-and-ids';
import type { Logger } from '@sluice/logging';
import type { AnalyticsStore } from '../store/analytics-store.ts';

export interface BeginStoreOptions {
  readonly store: AnalyticsStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Told why the store has not begun; undefined: it has. */
  readonly onStanding: (reason: string | undefined) => void;
  readonly signal: AbortSignal;
}

const retryMs = 2_000;

/** Begins the store, again and again until its database can be reached or the signal aborts. */
export async function beginStore(options: BeginStoreOptions): Promise<void> {
  const { store, clock, logger, onStanding, signal } = options;
  while (!signal.aborted) {
    try {
      await store.begin(clock.now());
      onStanding(undefined);
      return;
    } catch (error) {
      onStanding('the database of analytics cannot be reached, or refuses its tables');
      logger.warn('analytics cannot begin now', { error });
    }
    await delay(retryMs, undefined, { signal }).catch(() => undefined);
  }
}
