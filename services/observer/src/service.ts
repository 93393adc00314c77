import {
  type Bus,
  contentStream,
  endStream,
  failureStream,
  nameStream,
  usageStream,
} from '@sluice/bus';
import type { Service } from '@sluice/boot';
import { type Clock, systemClock } from '@sluice/clock-and-ids';
import type { Egress } from '@sluice/egress';
import type { KeyManagement } from '@sluice/envelope';
import type { Logger } from '@sluice/logging';
import { type Database, schemaOf } from '@sluice/read-model';
import type { RpcService } from '@sluice/rpc';
import type { Telemetry } from '@sluice/telemetry';
import { type DestinationCalls, Destinations } from './clients/destinations.ts';
import { Delivery } from './delivery/delivery.ts';
import { DestinationCounts } from './delivery/destination-counts.ts';
import { consumeParts } from './reactions/consume-parts.ts';
import { DestinationFollower } from './reactions/follow-destinations.ts';
import { logContents } from './reactions/log-contents.ts';
import { retainContents } from './reactions/retain-contents.ts';
import { retain } from './reactions/retain.ts';
import { watchDestinations } from './reactions/watch-destinations.ts';
import { observerRpc } from './rpc/observer-service.ts';
import { observerSchema } from './schema.ts';
import { beginLog } from './store/append.ts';
import type { ContentBounds } from './store/contents.ts';
import type { LogBounds } from './store/retain.ts';

export { loadObserverSettings, type ObserverSettings } from './config.ts';

export interface ObserverDependencies {
  readonly bus: Bus;
  /** The schema `observer`. The caller closes it after `stop`. */
  readonly database: Database;
  readonly workspaces: DestinationCalls;
  /** Opens the contents of generations. */
  readonly keys: KeyManagement;
  /** The way to destinations. The service stops it. */
  readonly egress: Egress;
  readonly bounds: LogBounds;
  readonly contentBounds: ContentBounds;
  readonly logger: Logger;
  readonly telemetry: Pick<Telemetry, 'metrics' | 'observe' | 'observeRows'>;
  /** The clock of the system when absent. */
  readonly clock?: Clock;
  /** The wait after the first failed attempt of a batch. */
  readonly retryMs?: number;
}

export interface ObserverService extends Service {
  readonly rpc: readonly RpcService[];
}

const retryMsDefault = 1_000;

/** Delivers finished generations to the destinations of workspaces. */
export function createService(dependencies: ObserverDependencies): ObserverService {
  const {
    bus,
    database: given,
    workspaces,
    keys,
    egress,
    bounds,
    contentBounds,
    logger,
    telemetry,
  } = dependencies;
  const { clock = systemClock, retryMs = retryMsDefault } = dependencies;
  const { metrics } = telemetry;
  const schema = schemaOf({ database: given, migrations: observerSchema.migrations, logger });
  const { database } = schema;
  const destinations = new Destinations(workspaces);
  const stopping = new AbortController();
  const { signal } = stopping;
  const counts = new DestinationCounts(metrics);
  const own = { destinations, counts, signal };
  const parts = { bus, database, keys, egress, clock, logger, metrics, ...own };
  const contents = { ...parts, contentBounds };
  const delivery = new Delivery({ ...parts, random: Math.random, retryMs });
  const follower = new DestinationFollower(parts);
  const watch = watchDestinations(telemetry);
  const onFinished = () => delivery.wake();
  let running: Promise<unknown> | undefined;
  const run = async () => {
    await beginLog(database);
    await follower.start();
    await Promise.all([
      consumeParts({ ...parts, onFinished }, signal),
      delivery.run(),
      retain({ ...parts, bounds, onFinished }),
      watch(parts),
    ]);
  };
  // Contents are stored also while the workspace service does not answer.
  const keepContents = async () => {
    await Promise.all([logContents(contents), retainContents(contents)]);
  };
  return {
    name: 'observer',
    rpc: [observerRpc({ ...contents, onReplay: onFinished })],
    async start() {
      for (const stream of [usageStream, failureStream, endStream, contentStream, nameStream])
        await bus.ensureStream(stream);
      await schema.start(() => {
        running = Promise.all(
          [run, keepContents].map((begin) =>
            begin().catch((error: unknown) => logger.error('observing has ended', { error })),
          ),
        );
      });
    },
    async stop() {
      stopping.abort();
      await schema.stop();
      await running;
      await follower.stop();
      await egress.stop();
    },
    unreadiness: () => schema.unreadiness(),
    degradation: () => schema.degradation(),
  };
}
