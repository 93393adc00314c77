import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '@sluice/clock-and-ids';
import type { Logger } from '@sluice/logging';
import type { Database } from '@sluice/read-model';
import type { GaugeRow, Telemetry } from '@sluice/telemetry';
import type { DestinationCounts, DestinationLabels } from '../delivery/destination-counts.ts';
import { senders } from '../senders/index.ts';
import { readStandings, type Standing } from '../store/standings.ts';

export interface WatchDependencies {
  readonly database: Database;
  readonly counts: Pick<DestinationCounts, 'labelsOf'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

const intervalMs = 5_000;

/** The state of a destination, or of those that share a series. */
export interface Shown extends DestinationLabels {
  readonly active: number;
  readonly failing: number;
  /** The longest. */
  readonly backlogAgeSeconds: number;
  readonly deadLetters: number;
}

/** Shows how destinations do, by the labels that `DestinationCounts` gives them. */
export function watchDestinations(telemetry: Pick<Telemetry, 'observe' | 'observeRows'>) {
  let shown: readonly Shown[] = [];
  for (const type of Object.keys(senders)) {
    const ofType = () => shown.filter((one) => one.type === type);
    const count = () => ofType().reduce((sum, { active }) => sum + active, 0);
    telemetry.observe('observer.destinations', count, { type });
  }
  const rows = (name: 'failing' | 'backlogAgeSeconds' | 'deadLetters') => (): GaugeRow[] =>
    shown.map(({ type, destination, [name]: value }) => ({
      value,
      attributes: { type, destination },
    }));
  telemetry.observeRows('observer.destinations.failing', rows('failing'));
  telemetry.observeRows('observer.backlog.age.seconds', rows('backlogAgeSeconds'));
  telemetry.observeRows('observer.dead.letters', rows('deadLetters'));
  /** Looks again and again until the signal aborts. */
  return async (dependencies: WatchDependencies): Promise<void> => {
    const { database, counts, clock, logger, signal } = dependencies;
    while (!signal.aborted) {
      try {
        const standings = await readStandings(database);
        shown = shownOf(standings, (id) => counts.labelsOf(id), clock.now());
      } catch (error) {
        logger.warn('destinations cannot be measured now', { error });
      }
      await delay(intervalMs, undefined, { signal }).catch(() => undefined);
    }
  };
}

/** Returns the states of destinations by their labels. */
export function shownOf(
  standings: readonly Standing[],
  labelsOf: (destinationId: string) => DestinationLabels | undefined,
  now: Date,
): readonly Shown[] {
  const shown = new Map<string, Shown>();
  for (const { destinationId, isFailing, oldestAt, deadLetters } of standings) {
    const labels = labelsOf(destinationId);
    if (!labels) continue;
    const key = `${labels.type}/${labels.destination}`;
    const known = shown.get(key);
    const ageSeconds = oldestAt ? Math.max(0, now.getTime() - oldestAt.getTime()) / 1_000 : 0;
    shown.set(key, {
      ...labels,
      active: (known?.active ?? 0) + 1,
      failing: (known?.failing ?? 0) + (isFailing ? 1 : 0),
      backlogAgeSeconds: Math.max(known?.backlogAgeSeconds ?? 0, ageSeconds),
      deadLetters: (known?.deadLetters ?? 0) + Number(deadLetters),
    });
  }
  return [...shown.values()];
}
