import type { Metrics } from '@sluice/telemetry';
import type { ActiveDestination } from '../clients/destinations.ts';
import { senders } from '../senders/index.ts';

/** The labels of a destination in metrics. */
export interface DestinationLabels {
  readonly type: string;
  /** The id, or `other`. */
  readonly destination: string;
}

type Labelled = Pick<ActiveDestination, 'destinationId' | 'type'>;

/** Destinations that have series of their own in each process. Those of a type beyond them share one. */
const ownSeriesMax = 400;
const others = 'other';
const outcomes = ['delivered', 'retried', 'dead'] as const;

/**
 * Counts by destination. Ids are ordered by their time, so that the oldest destinations have series of their own, and
 * all replicas choose the same. The series end with their destination.
 */
export class DestinationCounts {
  readonly #metrics: Pick<Metrics, 'observerGenerations' | 'observerLost'>;
  readonly #max: number;
  #labels: ReadonlyMap<string, DestinationLabels> = new Map();

  constructor(
    metrics: Pick<Metrics, 'observerGenerations' | 'observerLost'>,
    max: number = ownSeriesMax,
  ) {
    this.#metrics = metrics;
    this.#max = max;
    for (const type of Object.keys(senders)) this.#begin({ type, destination: others });
  }

  /** Begins the series of new destinations, and ends those of others. */
  follow(active: readonly Labelled[]): void {
    const sorted = active.toSorted((a, b) => (a.destinationId < b.destinationId ? -1 : 1));
    const labels = sorted.map(({ destinationId, type }, place): [string, DestinationLabels] => {
      const destination = place < this.#max ? destinationId : others;
      return [destinationId, { type, destination }];
    });
    const before = this.#labels;
    this.#labels = new Map(labels);
    for (const [id, old] of before)
      if (old.destination !== others && this.#labels.get(id)?.destination !== old.destination)
        this.#end(old);
    for (const [id, now] of labels)
      if (now.destination !== others && before.get(id)?.destination !== now.destination)
        this.#begin(now);
  }

  /** Returns undefined for a destination that is not active. */
  labelsOf(destinationId: string): DestinationLabels | undefined {
    return this.#labels.get(destinationId);
  }

  add({ destinationId, type }: Labelled, outcome: (typeof outcomes)[number], count: number): void {
    const labels = this.labelsOf(destinationId) ?? { type, destination: others };
    this.#metrics.observerGenerations.add(count, { ...labels, outcome });
  }

  addLost(destinationId: string, count: number): void {
    const labels = this.labelsOf(destinationId) ?? { type: '', destination: others };
    this.#metrics.observerLost.add(count, labels);
  }

  /** Prometheus sees the first increase of a counter only after a 0. */
  #begin(labels: DestinationLabels): void {
    this.#metrics.observerLost.add(0, labels);
    for (const outcome of outcomes)
      this.#metrics.observerGenerations.add(0, { ...labels, outcome });
  }

  #end(labels: DestinationLabels): void {
    this.#metrics.observerLost.remove(labels);
    for (const outcome of outcomes)
      this.#metrics.observerGenerations.remove({ ...labels, outcome });
  }
}
