import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '@sluice/clock-and-ids';
import { Fault } from '@sluice/errors';
import type { Logger } from '@sluice/logging';
import { readCounted } from '@sluice/usage-facts';
import type { AnalyticsStore, RebuiltStore } from '../store/analytics-store.ts';
import { applyRows } from './apply-rows.ts';
import { changesOf, type LedgerCalls } from './read-ledger.ts';

export interface RebuilderOptions {
  readonly rebuilt: RebuiltStore;
  readonly ledger: Pick<LedgerCalls, 'readFacts'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly retryMs?: number;
}

/** Another replica may have been killed at its rebuild. */
const lookMs = 30_000;
const retryMsDefault = 2_000;
const pageMax = 200;
/** The writers wait while the last pages are read. Any behind them are read after the switch. */
const lastPagesMax = 50;

/** Makes the tables again from the ledger, beside the live ones, when that is wanted. */
export class Rebuilder {
  readonly #options: RebuilderOptions;
  #wake: () => void = () => undefined;

  constructor(options: RebuilderOptions) {
    this.#options = options;
  }

  /** Notes that a rebuild is wanted. One that is under way goes on. */
  async begin(): Promise<void> {
    await this.#options.rebuilt.want();
    this.#wake();
  }

  async progress(): Promise<{ readonly isUnderWay: boolean; readonly facts: bigint }> {
    const { rebuilt } = this.#options;
    if (!(await rebuilt.isWanted())) return { isUnderWay: false, facts: 0n };
    return { isUnderWay: true, facts: await rebuilt.countedFacts() };
  }

  /** Rebuilds whenever that is wanted, until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { logger, rebuilt, retryMs = retryMsDefault } = this.#options;
    while (!signal.aborted) {
      let pauseMs = lookMs;
      const woken = new Promise<void>((resolve) => (this.#wake = resolve));
      try {
        if (await rebuilt.isWanted()) await rebuilt.alone(() => this.#once(signal));
        else await rebuilt.clean();
      } catch (error) {
        pauseMs = retryMs;
        if (!signal.aborted) logger.warn('analytics cannot be rebuilt now', { error });
        if (error instanceof Fault && error.code === 'not_found') await this.#startAgain();
      }
      const over = new AbortController();
      const either = AbortSignal.any([signal, over.signal]);
      await Promise.race([
        woken,
        delay(pauseMs, undefined, { signal: either }).catch(() => undefined),
      ]);
      over.abort();
    }
  }

  async #startAgain(): Promise<void> {
    await this.#options.rebuilt.startAgain().catch(() => undefined);
  }

  async #once(signal: AbortSignal): Promise<void> {
    const { clock, logger, rebuilt } = this.#options;
    // It may have ended before this replica had its turn.
    if (!(await rebuilt.isWanted())) return;
    const store = await rebuilt.prepare(clock.now());
    await this.#read(store, signal);
    await rebuilt.carryFacts(store);
    await this.#read(store, signal);
    await rebuilt.takePlace(clock.now(), (last) => this.#read(last, signal, lastPagesMax));
    await rebuilt.clean();
    logger.info('analytics was rebuilt from the ledger', {});
  }

  /** Reads the ledger to its end, or so many pages of it. */
  async #read(store: AnalyticsStore, signal: AbortSignal, pagesMax = Infinity): Promise<void> {
    const { ledger, rebuilt } = this.#options;
    for (let page = 0; page < pagesMax; page += 1) {
      signal.throwIfAborted();
      const after = await store.ledgerCursor();
      const { facts, next, isLast } = await ledger.readFacts({
        after: rebuilt.ledgerCursorOf(after),
        limit: pageMax,
      });
      const changes = await rebuilt.asCounted(facts.map(readCounted).flatMap(changesOf));
      // A page of archived facts has none.
      if (facts.length > 0 || !isLast)
        await applyRows(store, changes, { kind: 'ledger', after, next });
      if (isLast) return;
    }
  }
}
