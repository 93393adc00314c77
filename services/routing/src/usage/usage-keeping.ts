import type { Bus } from '@sluice/bus';
import type { UsageLookup } from '@sluice/providers';
import type { Clock } from '@sluice/clock-and-ids';
import type { Logger } from '@sluice/logging';
import type { Spool } from '@sluice/spool';
import type { Telemetry } from '@sluice/telemetry';
import type { Catalog } from '@sluice/catalog';
import type { LedgerCalls } from '../clients/ledger-calls.ts';
import { Admission, type ClosedReason } from './outbox/admission.ts';
import { Brake, type Look } from './outbox/brake.ts';
import { askProviders } from './reports/ask-providers.ts';
import { closeEarlierEpochs } from './journal/close-epochs.ts';
import { UsageJournal } from './journal/journal.ts';
import { FailureReports, reportFailures } from './reports/failure-reports.ts';
import { Outbox } from './outbox/outbox.ts';
import { publishUsage } from './outbox/publisher.ts';
import type { Replica } from './journal/replica.ts';
import { reportAdmissions } from './reports/report-admissions.ts';
import { resume } from './journal/resume.ts';
import { followWatermarks } from './outbox/watermarks.ts';

export interface UsageDeps {
  readonly spool: Pick<Spool, 'append' | 'hurry' | 'read' | 'release' | 'bytes' | 'diskUsed'>;
  readonly replica: Replica;
  readonly ledger: LedgerCalls;
  readonly bus: Pick<Bus, 'publishFact' | 'holdsFact'>;
  readonly lookup: UsageLookup;
  readonly catalog: Pick<Catalog, 'find'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly telemetry: Pick<Telemetry, 'observe' | 'metrics'>;
}

/** Keeps and transports usage between the pipeline and the ledger. */
export interface UsageKeeping {
  readonly journal: UsageJournal;
  readonly failures: FailureReports;
  /** Returns the reason why no request is admitted now, or undefined. */
  closedBecause(): ClosedReason | undefined;
  /** Returns the number of requests that may start in a millisecond. Undefined: the ledger keeps up. */
  startsPerMsMax(): number | undefined;
  /** Recovers the last run, then admits requests. The remaining tasks run in the background. */
  start(): Promise<void>;
  /** Stops the admission of requests. */
  close(): void;
  stop(): Promise<void>;
}

/** Writes usage to the local disk and delivers it to the ledger, even after a crash or an outage. */
export function keepUsage(deps: UsageDeps): UsageKeeping {
  const { spool, replica, ledger, bus, lookup, catalog, clock, logger, telemetry } = deps;
  const outbox = new Outbox();
  const journal = new UsageJournal({ spool, replica, outbox });
  const failures = new FailureReports(() => telemetry.metrics.usageFailuresDropped.add(1));
  const admission = new Admission({ spool, outbox, logger });
  const brake = new Brake();
  const onAsked = () => brake.look(lookAt(outbox, clock));
  const background = new AbortController();
  const { signal } = background;
  let loops: readonly Promise<void>[] = [];
  return {
    journal,
    failures,
    closedBecause: () => admission.closedBecause,
    startsPerMsMax: () => brake.startsPerMsMax,
    async start() {
      const began = await resume({
        spool,
        journal,
        outbox,
        ledger,
        replica,
        clock,
        logger,
        signal,
      });
      observe(telemetry, { outbox, journal, admission, spool, clock });
      loops = [
        publishUsage({ outbox, bus, logger, signal }),
        closeEarlierEpochs({ ledger, outbox, replica, logger, signal }),
        askProviders({ ledger, lookup, catalog, replica, logger, signal }),
        followWatermarks({
          bus,
          ledger,
          outbox,
          journal,
          spool,
          replica,
          logger,
          signal,
          onAsked,
        }),
        reportAdmissions({ ledger, spool, journal, replica, began, logger, signal }),
        reportFailures({ reports: failures, ledger, logger, signal }),
        admission.watch(signal),
      ];
      admission.open();
    },
    close: () => admission.close(),
    async stop() {
      journal.flush();
      background.abort();
      await Promise.allSettled(loops);
    },
  };
}

function lookAt(outbox: Outbox, clock: Clock): Look {
  const { size, countedTotal: counted, oldest } = outbox;
  const oldestAgeMs = oldest ? clock.now().getTime() - oldest.completedAtMs : 0;
  return { nowMs: performance.now(), size, counted, oldestAgeMs };
}

interface Observed {
  readonly outbox: Outbox;
  readonly journal: UsageJournal;
  readonly admission: Admission;
  readonly spool: Pick<Spool, 'bytes'>;
  readonly clock: Clock;
}

function observe(
  telemetry: Pick<Telemetry, 'observe'>,
  { outbox, journal, admission, spool, clock }: Observed,
): void {
  /** The time when a generation ended. 0: there is none. */
  const ageSeconds = (endedAtMs: number | undefined) =>
    endedAtMs === undefined ? 0 : Math.max(0, clock.now().getTime() - endedAtMs) / 1_000;
  telemetry.observe('usage.uncounted', () => outbox.size);
  telemetry.observe('usage.backlog.age.seconds', () => ageSeconds(outbox.oldest?.completedAtMs));
  telemetry.observe('usage.publish.lag.seconds', () => ageSeconds(outbox.oldestUnpublishedMs));
  telemetry.observe('usage.open', () => journal.openCount);
  telemetry.observe('usage.spool.bytes', () => spool.bytes());
  telemetry.observe('usage.disk.used.ratio', () => admission.diskUsed);
}
