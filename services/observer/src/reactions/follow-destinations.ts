import { setTimeout as delay } from 'node:timers/promises';
import { type Bus, createNotices, subjectFilters } from '@sluice/bus';
import type { Clock } from '@sluice/clock-and-ids';
import type { Logger } from '@sluice/logging';
import type { Database } from '@sluice/read-model';
import type { Destinations } from '../clients/destinations.ts';
import type { DestinationCounts } from '../delivery/destination-counts.ts';
import { setActive } from '../store/deliveries.ts';

export interface FollowDependencies {
  readonly bus: Bus;
  readonly database: Database;
  readonly destinations: Destinations;
  readonly counts: Pick<DestinationCounts, 'follow'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Everything is asked for anew after this time, whether notices came or not. */
const refreshMs = 30_000;
const retryMs = 1_000;
const accountsMax = 1_000;

/** Keeps the list of destinations as the workspace service has it. */
export class DestinationFollower {
  readonly #deps: FollowDependencies;
  readonly #changed = new Set<string>();
  #isAllStale = true;
  #wake: () => void = () => {};
  #running: Promise<void> = Promise.resolve();

  constructor(deps: FollowDependencies) {
    this.#deps = deps;
  }

  /** Reads all destinations once, and follows their changes from then on. */
  async start(): Promise<void> {
    const { bus, signal } = this.#deps;
    const notices = createNotices(bus, { anew: subjectFilters.historyChanged });
    notices.listen({
      filters: [subjectFilters.destinationsChanged, subjectFilters.workspaceChanged],
      received: ({ subject }) => this.#note(subject.slice(subject.lastIndexOf('.') + 1)),
      missed: () => this.#note(undefined),
    });
    await notices.start(signal);
    // Messages are not read before: those of unknown destinations would be left out.
    while (!signal.aborted && !(await this.#refresh()))
      await delay(retryMs, undefined, { signal }).catch(() => undefined);
    this.#running = this.#follow();
  }

  async stop(): Promise<void> {
    await this.#running;
  }

  #note(accountId: string | undefined): void {
    if (accountId === undefined || this.#changed.size >= accountsMax) this.#isAllStale = true;
    else this.#changed.add(accountId);
    this.#wake();
  }

  async #follow(): Promise<void> {
    const { signal } = this.#deps;
    while (!signal.aborted) {
      await this.#untilChanged();
      if (signal.aborted) return;
      if (!(await this.#refresh()))
        await delay(retryMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #untilChanged(): Promise<void> {
    if (this.#isAllStale || this.#changed.size > 0) return;
    const waiting = new AbortController();
    this.#wake = () => waiting.abort();
    const signal = AbortSignal.any([this.#deps.signal, waiting.signal]);
    await delay(refreshMs, undefined, { signal }).catch(() => undefined);
    this.#wake = () => {};
    if (!waiting.signal.aborted) this.#isAllStale = true;
  }

  /** Returns false if the workspace service did not answer: what was stale still is. */
  async #refresh(): Promise<boolean> {
    const { logger } = this.#deps;
    const isAll = this.#isAllStale;
    const accounts = [...this.#changed];
    this.#isAllStale = false;
    this.#changed.clear();
    try {
      if (isAll) await this.#read(undefined);
      else for (const accountId of accounts) await this.#read(accountId);
      return true;
    } catch (error) {
      logger.warn('destinations cannot be listed now', { error });
      this.#isAllStale ||= isAll;
      for (const accountId of accounts) this.#changed.add(accountId);
      return false;
    }
  }

  async #read(accountId: string | undefined): Promise<void> {
    const { database, destinations, counts, clock } = this.#deps;
    const listed = await destinations.refresh(accountId);
    counts.follow(destinations.all());
    await database.transaction((transaction) =>
      setActive(transaction, listed, { accountId, now: clock.now() }),
    );
  }
}
