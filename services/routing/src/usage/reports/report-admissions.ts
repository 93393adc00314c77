import { setTimeout as delay } from 'node:timers/promises';
import type { ReportAdmissionsRequest } from '@sluice/protos/sluice/ledger/v1/ledger';
import type { Logger } from '@sluice/logging';
import type { Spool } from '@sluice/spool';
import type { LedgerCalls } from '../../clients/ledger-calls.ts';
import type { JournalReport, UsageJournal } from '../journal/journal.ts';
import type { Replica } from '../journal/replica.ts';

export interface ReportOptions {
  readonly ledger: Pick<LedgerCalls, 'reportAdmissions'>;
  readonly spool: Pick<Spool, 'read'>;
  readonly journal: UsageJournal;
  readonly replica: Replica;
  /** The end of the spool when this run began, and the intents that the last run left open. */
  readonly began: { readonly spoolSequence: bigint; readonly interrupted: readonly Interrupted[] };
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly intervalMs?: number;
}

type Interrupted = Parameters<UsageJournal['tally']['add']>[1];

const intervalMsDefault = 1_000;
/** Without changes the ledger gets an empty report after this time. */
const quietMs = 5_000;
/** The most rows of one call. */
const openMax = 20_000;

/** Reports admitted, ended and open attempts to the ledger about once a second, each exactly once. */
export async function reportAdmissions(options: ReportOptions): Promise<void> {
  const { logger, signal, intervalMs = intervalMsDefault } = options;
  const reporter = new Reporter(options);
  let isAway = false;
  while (!signal.aborted) {
    try {
      await reporter.report();
      isAway = false;
    } catch (error) {
      if (!isAway && !signal.aborted) logger.warn('admissions cannot be reported now', { error });
      isAway = true;
    }
    await delay(intervalMs, undefined, { signal }).catch(() => {});
  }
}

class Reporter {
  readonly #options: ReportOptions;
  /** The place that the ledger has reached. undefined until it is known. */
  #reported: bigint | undefined;
  #reportedMs = -Infinity;
  /** A report without an answer. It is sent again unchanged. */
  #pending: ReportAdmissionsRequest | undefined;

  constructor(options: ReportOptions) {
    this.#options = options;
    options.journal.reported(0n);
  }

  async report(): Promise<void> {
    const { ledger, journal, logger } = this.#options;
    this.#reported ??= await this.#begin();
    if (!this.#pending && !this.#isDue(this.#reported)) return;
    this.#pending ??= this.#request(this.#reported, journal.report());
    const pending = this.#pending;
    const { spoolSequence } = await ledger.reportAdmissions(pending);
    if (spoolSequence !== pending.toSpoolSequence) {
      // The ledger was restored from a backup: reports from here on do not add up, and show it.
      logger.error('the ledger does not know what it was told of admissions');
      journal.tally.putBack(pending.totals);
    }
    this.#reported = spoolSequence;
    this.#reportedMs = performance.now();
    this.#pending = undefined;
    journal.reported(spoolSequence);
  }

  #isDue(reported: bigint): boolean {
    const isOld = performance.now() - this.#reportedMs > quietMs;
    return isOld || this.#options.journal.spoolSequence !== reported;
  }

  /** Begins with the records that earlier runs did not report. A replica's first report begins with open intents. */
  async #begin(): Promise<bigint> {
    const { ledger, spool, journal, began } = this.#options;
    const { spoolSequence } = await ledger.reportAdmissions(
      this.#request(0n, { spoolSequence: 0n, settledSequence: 0n, totals: [], open: [] }),
    );
    const upTo = began.spoolSequence;
    if (spoolSequence > 0n) await journal.tally.addSpool(spool, { after: spoolSequence, upTo });
    else for (const admitted of began.interrupted) journal.tally.add('admitted', admitted);
    return spoolSequence;
  }

  #request(after: bigint, report: JournalReport): ReportAdmissionsRequest {
    const { replica } = this.#options;
    return {
      replica: replica.id,
      epoch: replica.epoch,
      afterSpoolSequence: after,
      toSpoolSequence: report.spoolSequence,
      settledSequence: report.settledSequence,
      totals: report.totals,
      open: report.open.slice(0, openMax).map(({ intent }) => ({
        usageId: intent.usageId,
        accountId: intent.accountId,
        admittedAt: intent.admittedAt.toISOString(),
        holdNanoUsd: intent.holdNanoUsd ?? 0n,
      })),
    };
  }
}
