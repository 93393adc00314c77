import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@sluice/logging';
import type { Database } from '@sluice/read-model';
import { expireSuspense, expiriesMax } from '../commands/expire-suspense.ts';

export interface ExpireOptions {
  readonly database: Database;
  readonly logger: Logger;
  readonly hours: number;
  readonly signal: AbortSignal;
  readonly intervalMs?: number;
}

const intervalMsDefault = 10_000;

/** Gives customers the room of old suspense back, until the signal aborts. */
export async function expireOldSuspense(options: ExpireOptions): Promise<void> {
  const { database, logger, hours, signal, intervalMs = intervalMsDefault } = options;
  while (!signal.aborted) {
    let expired = 0;
    try {
      expired = (await expireSuspense(database, hours)).length;
      if (expired > 0) logger.info('suspense of customers has expired', { count: expired });
    } catch (error) {
      logger.warn('old suspense waits to expire', { error });
    }
    if (expired < expiriesMax) await delay(intervalMs, undefined, { signal }).catch(() => {});
  }
}
