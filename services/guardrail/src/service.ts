import { type Bus, directoryStream } from '@sluice/bus';
import type { EventStore, Position } from '@sluice/es';
import {
  assertNamespace,
  completeWithin,
  type Database,
  type Projection,
  type Projector,
  type Schema,
  schemaOf,
  startProjector,
  untilShown,
  watchedEventStore,
} from '@sluice/read-model';
import type { RpcService } from '@sluice/rpc';
import type { Service } from '@sluice/boot';
import type { Clock } from '@sluice/clock-and-ids';
import type { Logger } from '@sluice/logging';
import type { Telemetry } from '@sluice/telemetry';
import { createWorkerPool } from '@sluice/worker-pool';
import { createPatternCheck } from './commands/check-patterns.ts';
import type { Catalog, Directory } from './commands/directory.ts';
import { guardrailsProjection } from './projections/guardrails.ts';
import { followDirectory } from './reactions/follow-directory.ts';
import { followEndings } from './reactions/follow-endings.ts';
import {
  publishGuardrailChange,
  publishGuardrailChanges,
} from './reactions/publish-guardrail-changes.ts';
import { publishGuardrailLimits } from './reactions/publish-guardrail-limits.ts';
import { guardrailReadModels } from './read-models.ts';
import { createScanner } from '@sluice/content-scanner';
import { guardrailRpc } from './rpc/guardrail-service.ts';
import { aggregatesIn } from './store/aggregates.ts';

export { listedModels, type ReadList } from './clients/catalog.ts';
export { listsInProcess } from './clients/lists-in-process.ts';
export { type DirectoryClients, rpcDirectory } from './clients/directory.ts';
export type { Catalog, Directory };

export interface GuardrailDependencies {
  readonly eventStore: EventStore;
  /** Uses the schema `guardrail`. The caller closes it after `stop`. */
  readonly database: Database;
  readonly bus: Bus;
  readonly directory: Directory;
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly telemetry: Pick<Telemetry, 'metrics' | 'observe'>;
}

export interface GuardrailService extends Service {
  readonly rpc: readonly RpcService[];
}

/** Milliseconds that a query waits for a read model that begins. */
const completeTimeoutMs = 500;
/** The sum of these two stays below the deadline of a call from the gateway. */
const scanDeadlineMs = 3_000;
const scanWaitMs = 1_500;
/** Milliseconds that a reaction waits for the read model before it begins anew. */
const endingTimeoutMs = 5_000;

/** Guardrails: their demands, their assignments, and the effective policy of a request. */
export function createService(given: GuardrailDependencies): GuardrailService {
  const schema = schemaFor(given);
  const opened = { ...given, database: schema.database };
  const log = watchedEventStore(opened);
  const dependencies = { ...opened, eventStore: log };
  const { eventStore, database, bus, clock, logger, telemetry } = dependencies;
  const aggregates = aggregatesIn(eventStore);
  let readModel: Projector | undefined;
  const reactions: Projector[] = [];
  const stopping = new AbortController();
  const pool = createWorkerPool({
    deadlineMs: scanDeadlineMs,
    starvedMs: scanDeadlineMs,
    waitMs: scanWaitMs,
  });
  const scanner = createScanner({ pool });
  let following = Promise.resolve();
  const project = (projection: Projection) =>
    startProjector({ eventStore, database, projection, logger, telemetry });
  const projected = async (position: Position | undefined, timeoutMs: number) =>
    (await readModel?.waitFor(position, timeoutMs)) ?? false;
  const all = () => (readModel === undefined ? [] : [readModel, ...reactions]);
  const begin = () => {
    readModel = project(guardrailsProjection);
    const holds = (position: Position) => projected(position, endingTimeoutMs);
    reactions.push(
      project(followEndings({ aggregates, projected: holds })),
      project(publishGuardrailChanges({ bus, aggregates, projected: holds })),
      project(publishGuardrailLimits(bus, eventStore)),
    );
    following = followDirectory({ bus, aggregates, clock, logger }, stopping.signal);
  };
  return {
    name: 'guardrail',
    rpc: [
      guardrailRpc({
        ...dependencies,
        aggregates,
        readModel: database,
        checkPatterns: createPatternCheck(pool),
        scanner,
        isComplete: async () =>
          readModel !== undefined && (await completeWithin(readModel, completeTimeoutMs)),
        publishChange: (accountId) => beside(publishGuardrailChange(bus, accountId)),
        projected: (position) => untilShown(projected, position),
      }),
    ],
    async start() {
      await bus.ensureStream(directoryStream);
      log.start();
      await schema.start(begin);
    },
    async stop() {
      stopping.abort();
      await pool.stop();
      await schema.stop();
      await following;
      await Promise.all(reactions.map((projector) => projector.stop()));
      await readModel?.stop();
      await log.stop();
    },
    unreadiness: () => [...schema.unreadiness(), ...all().flatMap((one) => one.unreadiness())],
    degradation: () => [
      ...schema.degradation(),
      ...log.degradation(),
      ...all().flatMap((one) => one.degradation()),
    ],
  };
}

function schemaFor(given: GuardrailDependencies): Schema {
  return schemaOf({
    ...given,
    migrations: guardrailReadModels.migrations,
    check: () => assertNamespace(given.database, given.eventStore),
  });
}

/** Sends a notice beside the answer to its command. The reaction sends it as well, once PostgreSQL is there. */
function beside(published: Promise<void>): void {
  published.catch(() => {});
}
