import { setTimeout as delay } from 'node:timers/promises';
import type { ReportFailuresRequest } from '@sluice/protos/sluice/ledger/v1/ledger';
import type { Logger } from '@sluice/logging';
import type { LedgerCalls } from '../../clients/ledger-calls.ts';

/** A generation that gave no output. */
export type FailedGeneration = ReportFailuresRequest['failures'][number];

/** Keeps this many records of an outage. Beyond it records are lost, never requests or money. */
const waitingMax = 1_000;
/** With the interval: what a long outage may write, 50 records a second. */
const batchMax = 50;
const intervalMsDefault = 1_000;

/**
 * Generations that failed, on their way to the ledger: in memory alone, beside the requests. A crash or too many of
 * them lose records of failures, of which nothing is counted.
 */
export class FailureReports {
  readonly #waiting: FailedGeneration[] = [];
  readonly #dropped: () => void;

  constructor(dropped: () => void) {
    this.#dropped = dropped;
  }

  /** Written only when there is room for it. */
  add(write: () => FailedGeneration): void {
    if (this.#waiting.length < waitingMax) this.#waiting.push(write());
    else this.#dropped();
  }

  get size(): number {
    return this.#waiting.length;
  }

  /** Tells the ledger of the oldest ones; they wait on when it does not answer. */
  async send(ledger: Pick<LedgerCalls, 'reportFailures'>): Promise<void> {
    const failures = this.#waiting.slice(0, batchMax);
    if (failures.length === 0) return;
    await ledger.reportFailures({ failures });
    this.#waiting.splice(0, failures.length);
  }
}

export interface ReportFailuresOptions {
  readonly reports: FailureReports;
  readonly ledger: Pick<LedgerCalls, 'reportFailures'>;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly intervalMs?: number;
}

/** Tells the ledger once a second what failed, until the signal aborts. */
export async function reportFailures(options: ReportFailuresOptions): Promise<void> {
  const { reports, ledger, logger, signal, intervalMs = intervalMsDefault } = options;
  let isAway = false;
  while (!signal.aborted) {
    try {
      await reports.send(ledger);
      isAway = false;
    } catch (error) {
      if (!isAway && !signal.aborted) logger.warn('failures cannot be reported now', { error });
      isAway = true;
    }
    await delay(intervalMs, undefined, { signal }).catch(() => {});
  }
}
