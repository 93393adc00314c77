import { type Bus, failureStream, guardrailStream, nameStream, usageStream } from '@sluice/bus';
import { type Database, schemaOf } from '@sluice/read-model';
import type { RpcService } from '@sluice/rpc';
import type { Service } from '@sluice/boot';
import { type Clock, type Ids, systemClock, systemIds } from '@sluice/clock-and-ids';
import type { Egress } from '@sluice/egress';
import type { Logger } from '@sluice/logging';
import type { Telemetry } from '@sluice/telemetry';
import type { FileCalls } from '@sluice/workspace-files';
import type { DestinationCalls } from './exports/buckets/find-bucket.ts';
import { ExportJobs } from './exports/export-jobs.ts';
import { beginStore } from './reactions/begin-store.ts';
import { checkSums } from './reactions/check-sums.ts';
import { consumeFacts } from './reactions/consume-facts.ts';
import { type LedgerCalls, readLedger } from './reactions/read-ledger.ts';
import { Rebuilder } from './reactions/rebuild.ts';
import { retain } from './reactions/retain.ts';
import { runExports } from './reactions/run-exports.ts';
import { rebuildRpc } from './rpc/rebuild.ts';
import type { ReadBundle } from '@sluice/usage-facts';
import { readUsageBundle } from './messages/read-changes.ts';
import { analyticsRpc } from './rpc/analytics-service.ts';
import { exportRpc } from './rpc/export-service.ts';
import { analyticsSchema } from './schema.ts';
import type { AnalyticsStore, RebuiltStore, Retention } from './store/analytics-store.ts';
import type { ExportSource } from './store/export-source.ts';
import { ClickHouseExports } from './store/clickhouse/clickhouse-exports.ts';
import { ClickHouseStore } from './store/clickhouse/clickhouse-store.ts';
import type { ClickHouse } from './store/clickhouse/engine.ts';
import { PostgresExports } from './store/postgres/postgres-exports.ts';
import { PostgresStore } from './store/postgres/postgres-store.ts';
import { Verifier } from './verification/verifier.ts';
import { verifyRpc } from './rpc/verify.ts';

export { loadClickHouse, loadRetention } from './config.ts';
export { openClickHouse } from './store/clickhouse/engine.ts';

export interface AnalyticsDependencies {
  readonly bus: Bus;
  /** The schema `analytics`. The caller closes it after `stop`. */
  readonly database: Database;
  /** The same schema, with connections of its own for questions. The caller closes it after `stop`. */
  readonly questions: Database;
  readonly ledger: LedgerCalls;
  /** Exports become files of workspaces. */
  readonly files: Pick<FileCalls, 'uploadFile' | 'getFile'>;
  /** The destinations of workspaces. Exports go to their buckets. */
  readonly destinations: DestinationCalls;
  /** The way to buckets. The caller stops it. */
  readonly egress: Pick<Egress, 'send'>;
  /** Has the facts and sums. PostgreSQL has them when it is absent. The caller closes it after `stop`. */
  readonly clickHouse?: ClickHouse | undefined;
  readonly retention: Retention;
  readonly logger: Logger;
  readonly telemetry: Pick<Telemetry, 'metrics' | 'observe'>;
  /** That of the system when absent. */
  readonly clock?: Clock;
  /** The ids of the system when absent. */
  readonly ids?: Ids;
  /** The pause between two readings of the ledger. */
  readonly ledgerIntervalMs?: number;
  /** The pause between two checks of the sums. */
  readonly checkIntervalMs?: number;
  /** Reads messages of usage: others of the process may have read them. By itself when absent. */
  readonly readBundle?: ReadBundle | undefined;
}

export interface AnalyticsService extends Service {
  readonly rpc: readonly RpcService[];
}

/** The time limit of a question. */
export const questionMsMax = 30_000;

/** Answers questions about usage, from tables that it makes of the facts of the bus and of the ledger. */
export function createService(dependencies: AnalyticsDependencies): AnalyticsService {
  const { bus, database: given, ledger, files, destinations, egress } = dependencies;
  const { logger, telemetry, ledgerIntervalMs, checkIntervalMs } = dependencies;
  const { clock = systemClock, ids = systemIds, readBundle = readUsageBundle } = dependencies;
  const schema = schemaOf({ ...analyticsSchema, database: given, logger });
  const { store, source, rebuilt } = storeOf(schema.database, dependencies);
  const verifier = new Verifier({ store, ledger });
  const verify = verifyRpc({ verifier, store, clock });
  const jobs = new ExportJobs(schema.database);
  let added = Promise.withResolvers<void>();
  const onAdded = () => {
    added.resolve();
    added = Promise.withResolvers<void>();
  };
  const exporting = { jobs, source, files, destinations, egress, ids };
  const rebuilder = rebuilt && rebuilderOf(rebuilt, { ...dependencies, clock });
  const stopping = new AbortController();
  let running: Promise<unknown> | undefined;
  let standing: string | undefined;
  const run = async () => {
    const { metrics } = telemetry;
    const { signal } = stopping;
    let lagSeconds = 0;
    telemetry.observe('analytics.lag.seconds', () => lagSeconds);
    let differing = 0;
    telemetry.observe('analytics.differences', () => differing);
    const onDifferences = (count: number) => void (differing = count);
    const onLag = (seconds: number) => void (lagSeconds = seconds);
    const onStanding = (reason: string | undefined) => void (standing = reason);
    await beginStore({ store, clock, logger, signal, onStanding });
    if (signal.aborted) return;
    const parts = { store, logger, metrics, clock, signal };
    const ledgerReading = {
      ledger,
      onStanding,
      ...(rebuilder && { onRestored: () => rebuilder.begin() }),
      ...intervalOf(ledgerIntervalMs),
    };
    const checking = { verifier, onDifferences, ...intervalOf(checkIntervalMs) };
    await Promise.all([
      consumeFacts({ ...parts, bus, readBundle, onLag }, signal),
      readLedger({ ...parts, ...ledgerReading }),
      retain(parts),
      rebuilder?.run(signal),
      checkSums({ ...parts, ...checking }),
      runExports({ ...parts, ...exporting, added: () => added.promise }),
    ]);
  };
  return {
    name: 'analytics',
    rpc: [
      exportRpc({ jobs, destinations, clock, onAdded }),
      analyticsRpc(store, clock, { verify, rebuild: rebuildRpc(rebuilder) }),
    ],
    async start() {
      for (const stream of [usageStream, failureStream, guardrailStream, nameStream])
        await bus.ensureStream(stream);
      await schema.start(() => {
        running = run().catch((error: unknown) => logger.error('counting has ended', { error }));
      });
    },
    async stop() {
      stopping.abort();
      await schema.stop();
      await running;
    },
    unreadiness: () => schema.unreadiness(),
    degradation: () => [...schema.degradation(), ...(standing === undefined ? [] : [standing])],
  };
}

function rebuilderOf(
  rebuilt: RebuiltStore,
  { ledger, logger, clock = systemClock, ledgerIntervalMs }: AnalyticsDependencies,
): Rebuilder {
  const retry = ledgerIntervalMs === undefined ? {} : { retryMs: ledgerIntervalMs };
  return new Rebuilder({ rebuilt, ledger, clock, logger, ...retry });
}

/** The store of facts and sums: ClickHouse if it is there. */
function storeOf(
  database: Database,
  { clickHouse, questions, retention }: AnalyticsDependencies,
): {
  readonly store: AnalyticsStore;
  readonly source: ExportSource;
  readonly rebuilt?: RebuiltStore;
} {
  if (!clickHouse) {
    const store = new PostgresStore({ database, questions, retention });
    const rebuilt = store.rebuilt(analyticsSchema.migrations);
    return { store, source: new PostgresExports(questions), rebuilt };
  }
  return {
    store: new ClickHouseStore({ clickHouse, database, retention, questionMsMax }),
    source: new ClickHouseExports({ clickHouse, database }),
  };
}

const intervalOf = (intervalMs: number | undefined) =>
  intervalMs === undefined ? {} : { intervalMs };
