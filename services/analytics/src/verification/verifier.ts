import { setTimeout as delay } from 'node:timers/promises';
import { compareSums, type Difference } from '../domain/compare-sums.ts';
import type { AnalyticsStore } from '../store/analytics-store.ts';
import { type ActivityLedger, readLedgerSums } from './ledger-sums.ts';

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** Whole hours of UTC that have ended, and whose accounts are compared. */
export interface Window {
  readonly startMs: number;
  readonly endMs: number;
  /** All accounts when it is undefined. */
  readonly accountId: string | undefined;
}

export interface AccountDifference extends Difference {
  readonly accountId: string;
}

/** An account and the start of a day or of its part, which is compared next. */
export interface Place {
  readonly accountId: string;
  readonly atMs: number;
}

export interface Page {
  readonly differences: readonly AccountDifference[];
  /** The days of accounts, or parts of days, that a table still keeps. */
  readonly compared: number;
  /** All is compared when it is undefined. */
  readonly next: Place | undefined;
}

export interface VerifierOptions {
  readonly store: AnalyticsStore;
  readonly ledger: ActivityLedger;
  /** A correction that the ledger has counted reaches analytics within this time. */
  readonly settleMs?: number;
}

const pageDaysMax = 100;
const pageDifferencesMax = 500;
const pageMsMax = 5_000;
const settleMsDefault = 2_000;

/** Compares the tables with each other and with the ledger: one account and day at a time, whoever asks. */
export class Verifier {
  readonly #store: AnalyticsStore;
  readonly #ledger: ActivityLedger;
  readonly #settleMs: number;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ store, ledger, settleMs = settleMsDefault }: VerifierOptions) {
    this.#store = store;
    this.#ledger = ledger;
    this.#settleMs = settleMs;
  }

  /** Compares on from a place, undefined being the first, until enough of it is done for one answer. */
  async page(window: Window, from: Place | undefined, signal?: AbortSignal): Promise<Page> {
    const differences: AccountDifference[] = [];
    const untilMs = performance.now() + pageMsMax;
    let [compared, looked] = [0, 0];
    let place = from ?? (await this.#firstOf(window, ''));
    while (place && looked < pageDaysMax && differences.length < pageDifferencesMax) {
      const { accountId, atMs } = place;
      const endMs = Math.min(window.endMs, nextDay(atMs));
      const found = await this.#inTurn(() => this.#compare(accountId, atMs, endMs));
      differences.push(...(found ?? []).map((one) => ({ ...one, accountId })));
      looked += 1;
      if (found) compared += 1;
      place =
        endMs < window.endMs ? { accountId, atMs: endMs } : await this.#firstOf(window, accountId);
      if (performance.now() > untilMs || signal?.aborted) break;
    }
    return { differences, compared, next: place };
  }

  async #firstOf({ startMs, accountId }: Window, behind: string): Promise<Place | undefined> {
    if (accountId !== undefined) return behind === '' ? { accountId, atMs: startMs } : undefined;
    const next = await this.#store.accountBehind(behind);
    return next === undefined ? undefined : { accountId: next, atMs: startMs };
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return await turn;
  }

  /** Looks twice at a difference: a fact may be between the ledger and analytics. Undefined: nothing is kept. */
  async #compare(accountId: string, startMs: number, endMs: number) {
    const first = await this.#differences(accountId, startMs, endMs);
    if (!first || first.length === 0) return first;
    await delay(this.#settleMs);
    return await this.#differences(accountId, startMs, endMs);
  }

  async #differences(
    accountId: string,
    startMs: number,
    endMs: number,
  ): Promise<readonly Difference[] | undefined> {
    const sums = await this.#store.sumsOf(accountId, { startMs, endMs });
    if (sums.length === 0) return undefined;
    const isWholeDay = startMs % dayMs === 0 && endMs - startMs === dayMs;
    if (!isWholeDay) return compareSums(sums, startMs);
    const ofLedger = await readLedgerSums(this.#ledger, accountId, startMs);
    return compareSums([ofLedger, ...sums], startMs);
  }
}

const nextDay = (ms: number) => (Math.floor(ms / dayMs) + 1) * dayMs;
