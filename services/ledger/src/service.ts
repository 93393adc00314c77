import { type Bus, creditStream, limitStream, usageStream } from '@sluice/bus';
import { Fault } from '@sluice/errors';
import { type Database, schemaOf } from '@sluice/read-model';
import type { RpcService } from '@sluice/rpc';
import type { Service } from '@sluice/boot';
import { type Clock, systemClock } from '@sluice/clock-and-ids';
import type { Logger } from '@sluice/logging';
import type { Telemetry } from '@sluice/telemetry';
import type { ReadBundle } from '@sluice/usage-facts';
import { readUsageBundle } from './messages/decode.ts';
import { countFacts } from './reactions/count-facts.ts';
import { expireOldSuspense } from './reactions/expire-suspense.ts';
import { publishCorrections } from './reactions/publish-corrections.ts';
import { retainFacts } from './reactions/retain-facts.ts';
import { watchLedger } from './reactions/watch-ledger.ts';
import { ledgerRpc } from './rpc/ledger-service.ts';
import { type FactRetention, suspenseHoursDefault } from './config.ts';
import { ledgerSchema } from './schema.ts';

export interface LedgerDependencies {
  readonly bus: Bus;
  /** The schema `ledger`. The caller closes it after `stop`. */
  readonly database: Database;
  readonly logger: Logger;
  readonly telemetry: Pick<Telemetry, 'metrics' | 'observe' | 'tracing'>;
  /** That of the system when absent. */
  readonly clock?: Clock;
  /** The hours until what a customer has in suspense is the operator's. */
  readonly suspenseHours?: number;
  /** All facts are kept if it is undefined. */
  readonly retention?: FactRetention | undefined;
  /** Reads messages of usage: others of the process may have read them. By itself when absent. */
  readonly readBundle?: ReadBundle | undefined;
}

export interface LedgerService extends Service {
  readonly rpc: readonly RpcService[];
}

/** The only place where money is counted: usage and credits off the bus, figures over rpc. */
export function createService({
  bus,
  database: given,
  logger,
  telemetry,
  clock = systemClock,
  suspenseHours = suspenseHoursDefault,
  retention,
  readBundle = readUsageBundle,
}: LedgerDependencies): LedgerService {
  const schema = schemaOf({
    database: given,
    migrations: ledgerSchema.migrations,
    logger,
    check: () => assertCommitsAreDurable(given),
  });
  const { database } = schema;
  const stopping = new AbortController();
  let counting: Promise<void> | undefined;
  let watching: Promise<void> | undefined;
  let publishing: Promise<void> | undefined;
  let expiring: Promise<void> | undefined;
  let retaining: Promise<void> | undefined;
  const begin = () => {
    const { metrics, tracing } = telemetry;
    const { signal } = stopping;
    let lagSeconds = 0;
    telemetry.observe('ledger.lag.seconds', () => lagSeconds);
    const onLag = (seconds: number) => void (lagSeconds = seconds);
    const parts = { bus, database, logger, metrics, tracing, clock, readBundle, onLag };
    counting = countFacts(parts, signal);
    publishing = publishCorrections({ bus, database, logger, signal });
    expiring = expireOldSuspense({ database, logger, hours: suspenseHours, signal });
    retaining = retainFacts({ database, clock, logger, telemetry, retention, signal });
    watching = watchLedger({ database, telemetry, logger, signal });
    counting.catch((error: unknown) => logger.error('counting has ended', { error }));
  };
  return {
    name: 'ledger',
    rpc: [ledgerRpc(database)],
    async start() {
      for (const stream of [usageStream, creditStream, limitStream]) await bus.ensureStream(stream);
      await schema.start(begin);
    },
    async stop() {
      stopping.abort();
      await schema.stop();
      await Promise.all([counting, publishing, expiring, retaining, watching]);
    },
    unreadiness: () => schema.unreadiness(),
    degradation: () => schema.degradation(),
  };
}

/** With it off, a power cut loses rows that were acknowledged to the bus. */
async function assertCommitsAreDurable(database: Database): Promise<void> {
  const [setting] = await database.query<{ value: string }>({
    text: `SELECT current_setting('synchronous_commit') AS value`,
    values: [],
  });
  if (setting?.value !== 'off') return;
  throw new Fault('read_model_unavailable', {
    message: 'PostgreSQL runs with synchronous_commit = off: the ledger would lose counted usage',
  });
}
