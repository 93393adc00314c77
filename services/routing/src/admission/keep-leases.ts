import { setTimeout as delay } from 'node:timers/promises';
import { subjectFilters, type Bus } from '@sluice/bus';
import type { Logger } from '@sluice/logging';
import type { Spending } from '@sluice/spend';

export interface KeepOptions {
  readonly spending: Pick<Spending, 'tend' | 'limitsChanged' | 'doubtLimits'>;
  readonly bus: Pick<Bus, 'subscribe' | 'onReconnect'>;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly intervalMs?: number;
}

const intervalMsDefault = 500;

/** Renews leases, returns unneeded amounts, and requests leases again when limits change. */
export async function keepLeases(options: KeepOptions): Promise<void> {
  const { spending, logger, signal, intervalMs = intervalMsDefault } = options;
  listen(options);
  let isAway = false;
  while (!signal.aborted) {
    try {
      await spending.tend();
      if (isAway) logger.info('the ledger renews leases again');
      isAway = false;
    } catch (error) {
      if (!isAway) logger.warn('the ledger does not renew leases', { error });
      isAway = true;
    }
    await delay(intervalMs, undefined, { signal }).catch(() => {});
  }
}

/** Best effort: the renewal of leases finds changes whose notice was lost. */
function listen({ spending, bus, logger, signal }: KeepOptions): void {
  const off = bus.onReconnect(() => spending.doubtLimits());
  signal.addEventListener('abort', off, { once: true });
  const changed = async (subject: string) => {
    try {
      await spending.limitsChanged(subject.slice(subject.lastIndexOf('.') + 1));
    } catch (error) {
      logger.warn('changed limits could not be asked for', { error });
    }
  };
  bus
    .subscribe(subjectFilters.limitsChanged, ({ subject }) => changed(subject), { signal })
    .catch((error: unknown) => logger.warn('changes of limits are not heard', { error }));
}
