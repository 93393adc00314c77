import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '@sluice/clock-and-ids';
import type { Logger } from '@sluice/logging';
import type { Database } from '@sluice/read-model';
import type { Telemetry } from '@sluice/telemetry';
import type { Destinations } from '../clients/destinations.ts';
import { senders } from '../senders/index.ts';
import { readStandings, type Standing } from '../store/standings.ts';

export interface WatchDependencies {
  readonly database: Database;
  readonly destinations: Pick<Destinations, 'find'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

const intervalMs = 5_000;
const none = { active: 0, failing: 0, backlogAgeSeconds: 0, deadLetters: 0 };

/** The sums of all destinations of one type. */
export type Sums = typeof none;

/**
 * Shows how destinations do by their type, which is one of a few words. An id as a label would make as many series as
 * there are destinations: `GetDestinationStatus` and the log name the one.
 */
export function watchDestinations(telemetry: Pick<Telemetry, 'observe' | 'metrics'>) {
  const { observerGenerations, observerLost } = telemetry.metrics;
  let sums: ReadonlyMap<string, Sums> = new Map();
  for (const type of Object.keys(senders)) {
    // Prometheus sees the first increase of a counter only after a 0.
    observerLost.add(0, { type });
    for (const outcome of ['delivered', 'retried', 'dead'])
      observerGenerations.add(0, { type, outcome });
    const read = (name: keyof Sums) => () => (sums.get(type) ?? none)[name];
    telemetry.observe('observer.destinations', read('active'), { type });
    telemetry.observe('observer.destinations.failing', read('failing'), { type });
    telemetry.observe('observer.backlog.age.seconds', read('backlogAgeSeconds'), { type });
    telemetry.observe('observer.dead.letters', read('deadLetters'), { type });
  }
  /** Looks again and again until the signal aborts. */
  return async (dependencies: WatchDependencies): Promise<void> => {
    const { database, destinations, clock, logger, signal } = dependencies;
    const typeOf = (id: string) => destinations.find(id)?.type;
    while (!signal.aborted) {
      try {
        sums = sumsOf(await readStandings(database), typeOf, clock.now());
      } catch (error) {
        logger.warn('destinations cannot be measured now', { error });
      }
      await delay(intervalMs, undefined, { signal }).catch(() => undefined);
    }
  };
}

/** Sums the states of destinations by their type. */
export function sumsOf(
  standings: readonly Standing[],
  typeOf: (destinationId: string) => string | undefined,
  now: Date,
): ReadonlyMap<string, Sums> {
  const sums = new Map<string, Sums>();
  for (const { destinationId, isFailing, oldestAt, deadLetters } of standings) {
    const type = typeOf(destinationId);
    if (type === undefined) continue;
    const known = sums.get(type) ?? none;
    const ageSeconds = oldestAt ? Math.max(0, now.getTime() - oldestAt.getTime()) / 1_000 : 0;
    sums.set(type, {
      active: known.active + 1,
      failing: known.failing + (isFailing ? 1 : 0),
      backlogAgeSeconds: Math.max(known.backlogAgeSeconds, ageSeconds),
      deadLetters: known.deadLetters + Number(deadLetters),
    });
  }
  return sums;
}
