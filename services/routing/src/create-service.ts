import { subjectFilters, type Bus } from '@sluice/bus';
import type { InferencePort, InferenceReply } from '@sluice/inference';
import type { Upstream } from '@sluice/providers';
import type { Clock, Ids, Logger, Service } from '@sluice/service';
import { createSpendGate } from '@sluice/spend';
import type { Spool } from '@sluice/spool';
import type { Telemetry } from '@sluice/telemetry';
import type { Catalog } from './catalog/catalog.ts';
import { modelListBody } from './catalog/model-list.ts';
import { createResponse } from './pipeline/create-response.ts';
import type { Pipeline } from './pipeline/deps.ts';
import { defaultLimits, type Limits } from './pipeline/limits.ts';
import { Running } from './pipeline/running.ts';
import type { LedgerCalls } from './spend/ledger.ts';
import { Standings } from './spend/standings.ts';
import { Admission } from './usage/admission.ts';
import { UsageJournal } from './usage/journal.ts';
import { Outbox } from './usage/outbox.ts';
import { publishUsage } from './usage/publisher.ts';
import type { Replica } from './usage/replica.ts';
import { resume } from './usage/resume.ts';
import { followWatermarks } from './usage/watermarks.ts';

export interface RoutingDeps {
  readonly catalog: Catalog;
  readonly upstream: Pick<Upstream, 'call'>;
  /** Opened by the caller, who stops it after the service. */
  readonly spool: Pick<Spool, 'append' | 'read' | 'release' | 'diskUsed'>;
  readonly replica: Replica;
  readonly ledger: LedgerCalls;
  readonly bus: Pick<Bus, 'publishFact' | 'subscribe'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly telemetry: Pick<Telemetry, 'metrics' | 'tracing' | 'observe'>;
  /** Where the defaults do not fit. */
  readonly limits?: Partial<Limits>;
}

export interface RoutingService extends Service {
  readonly inference: InferencePort;
}

/** At a stop, generations may go on for so long; then they are cancelled and billed as they are. */
const stopGraceMs = 3_000;
const idleSweepMs = 60_000;

/** The inference pipeline with its spend gate, usage journal and publisher. */
export function createService(deps: RoutingDeps): RoutingService {
  const { catalog, spool, replica, ledger, bus, clock, logger, telemetry } = deps;
  const gate = createSpendGate();
  const outbox = new Outbox();
  const journal = new UsageJournal({ spool, replica, outbox });
  const standings = new Standings({ gate, ledger, outbox, replica, clock, logger });
  const running = new Running();
  const admission = new Admission({ spool, outbox, logger });
  const background = new AbortController();
  const { signal } = background;
  let loops: readonly Promise<void>[] = [];
  const pipeline: Pipeline = {
    ...deps,
    gate,
    standings,
    journal,
    running,
    metrics: telemetry.metrics,
    tracing: telemetry.tracing,
    limits: { ...defaultLimits, ...deps.limits },
    closedBecause: () => admission.closedBecause,
  };
  const models: InferenceReply = {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: modelListBody(catalog.listed),
  };

  return {
    name: 'routing',
    inference: {
      createResponse: (call) => createResponse(pipeline, call),
      listModels: async () => models,
    },
    async start() {
      await resume({ spool, journal, gate, replica, clock, logger });
      telemetry.observe('usage.uncounted', () => outbox.size);
      telemetry.observe('usage.open', () => journal.openCount);
      bus
        .subscribe(
          subjectFilters.spendChanged,
          ({ subject }) => standings.changed(subject.slice(subject.lastIndexOf('.') + 1)),
          { signal },
        )
        .catch((error: unknown) => logger.warn('changes of spend are not heard', { error }));
      const sweep = setInterval(() => standings.forgetIdle(), idleSweepMs);
      signal.addEventListener('abort', () => clearInterval(sweep), { once: true });
      loops = [
        publishUsage({ outbox, bus, logger, signal }),
        followWatermarks({ ledger, outbox, journal, replica, logger, signal }),
        admission.watch(signal),
      ];
      admission.open();
    },
    async stop() {
      admission.close();
      await running.settle(stopGraceMs);
      background.abort();
      await Promise.allSettled(loops);
    },
    unreadiness: () => (admission.closedBecause === undefined ? [] : [admission.closedBecause]),
  };
}
