import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '@sluice/clock-and-ids';
import type { Logger } from '@sluice/logging';
import type { Metrics } from '@sluice/telemetry';
import type { AnalyticsStore } from '../store/analytics-store.ts';

export interface RetainOptions {
  readonly store: AnalyticsStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'analyticsPartitionsDropped'>;
  readonly signal: AbortSignal;
}

const intervalMs = 600_000;

/** Drops what is older than is kept, until the signal aborts. */
export async function retain(options: RetainOptions): Promise<void> {
  const { store, clock, logger, metrics, signal } = options;
  while (!signal.aborted) {
    await delay(intervalMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    try {
      const dropped = await store.retain(clock.now());
      metrics.analyticsPartitionsDropped.add(dropped);
      if (dropped > 0) logger.info('old partitions were dropped', { count: dropped });
    } catch (error) {
      logger.warn('old partitions cannot be dropped now', { error });
    }
  }
}
