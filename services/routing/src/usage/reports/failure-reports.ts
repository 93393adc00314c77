import { setTimeout as delay } from 'node:timers/promises';
import type { ReportFailuresRequest } from '@sluice/protos/sluice/ledger/v1/ledger';
import type { Logger } from '@sluice/logging';
import type { LedgerCalls } from '../../clients/ledger-calls.ts';

/** A generation that gave no output. */
export type FailedGeneration = ReportFailuresRequest['failures'][number];

/** Keeps this many records of an outage. Beyond it records are lost, never requests or money. */
const waitingMax = 1_000;
/** Records per call. With the interval this bounds a long outage to 50 records a second. */
const batchMax = 50;
const intervalMsDefault = 1_000;

/**
 * Queues failed generations for the ledger in memory. A crash or an overflow loses records of failures, which have
 * no effect on bills.
 */
export class FailureReports {
  readonly #waiting: FailedGeneration[] = [];
  readonly #dropped: () => void;

  constructor(dropped: () => void) {
    this.#dropped = dropped;
  }

  /** Calls the function only if there is room for the record. */
  add(write: () => FailedGeneration): void {
    if (this.#waiting.length < waitingMax) this.#waiting.push(write());
    else this.#dropped();
  }

  get size(): number {
    return this.#waiting.length;
  }

  /** Reports the oldest ones to the ledger. They stay in the queue if it does not answer. */
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

/** Reports failures to the ledger once a second until the signal aborts. */
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
