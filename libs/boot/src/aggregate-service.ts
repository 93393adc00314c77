import type { Bus, StreamDefinition } from '@sluice/bus';
import type { Clock } from '@sluice/clock-and-ids';
import type { EventStore, Position } from '@sluice/es';
import type { Logger } from '@sluice/logging';
import {
  assertNamespace,
  type Database,
  type Projection,
  type Projector,
  type ReadModels,
  schemaOf,
  type Shown,
  startProjector,
  untilShown,
  watchedEventStore,
  type WatchedEventStore,
} from '@sluice/read-model';
import type { RpcService } from '@sluice/rpc';
import type { Telemetry } from '@sluice/telemetry';
import type { Service } from './service.ts';

/** The surroundings of a service that keeps aggregates: a log, the tables made from it, and the bus. */
export interface AggregateDependencies {
  readonly eventStore: EventStore;
  /** Uses the schema of the service. The caller closes it after `stop`. */
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly telemetry: Pick<Telemetry, 'metrics' | 'observe'>;
}

export interface AggregateService extends Service {
  readonly rpc: readonly RpcService[];
}

type Named = Pick<Projection, 'projection'>;

/** The dependencies of a service, with the log as it is watched and the database as its schema opens it. */
export type Opened<Given extends AggregateDependencies> = Given & {
  readonly eventStore: WatchedEventStore;
  /** The database under the name that rpc handlers and queries use. */
  readonly readModel: Database;
  /** Returns a wait until all of these read models and reactions hold a position. */
  readonly projected: (...projections: readonly Named[]) => Projector['waitFor'];
  /** Returns the same with the time-out of a reaction, which starts again when it gets false. */
  readonly held: (...projections: readonly Named[]) => (position: Position) => Promise<boolean>;
  /** Returns the same for the answer to a command, which gets read_model_unavailable when it is too late. */
  readonly shown: (...projections: readonly Named[]) => Shown;
  /** False while the read model has never held all of the log. */
  readonly isComplete: (projection: Named) => boolean;
  /** Aborts when the service stops. */
  readonly signal: AbortSignal;
};

/** A service of this kind in a table. `reactions` and `follow` are called when the schema is ready. */
export interface AggregateServiceOptions<Given extends AggregateDependencies> {
  /** The read models of the service. Their schema is the name of the service. */
  readonly readModels: ReadModels;
  readonly rpc: (opened: Opened<Given>) => readonly RpcService[];
  readonly reactions: (opened: Opened<Given>) => readonly Projection[];
  /** Consumers of the bus and other work that runs until the signal aborts. */
  readonly follow?: (opened: Opened<Given>) => readonly Promise<unknown>[];
  /** The streams of the bus that must be there before the start. */
  readonly streams?: readonly StreamDefinition[];
  /** Checked with each migration, on the database as it was given. */
  readonly check?: () => Promise<void>;
  /** Runs first when the service stops. */
  readonly stop?: () => Promise<void>;
}

const heldTimeoutMs = 5_000;

/** Makes a service of its read models, its reactions and its rpc. Nothing is asked before `start`. */
export function aggregateService<Given extends AggregateDependencies>(
  given: Given,
  options: AggregateServiceOptions<Given>,
): AggregateService {
  const { readModels, streams = [] } = options;
  const schema = schemaOf({
    ...given,
    migrations: readModels.migrations,
    async check() {
      await assertNamespace(given.database, given.eventStore);
      await options.check?.();
    },
  });
  const { database } = schema;
  const log = watchedEventStore({ ...given, database });
  const running = new Map<string, Projector>();
  const all = () => [...running.values()];
  const stopping = new AbortController();
  const opened = openedOf({ ...given, eventStore: log, database }, running, stopping.signal);
  let following: readonly Promise<unknown>[] = [];
  const begin = () => {
    for (const projection of [...readModels.projections, ...options.reactions(opened)])
      running.set(projection.projection, startProjector({ ...opened, projection }));
    following = options.follow?.(opened) ?? [];
  };
  return {
    name: readModels.schema,
    rpc: options.rpc(opened),
    async start() {
      for (const stream of streams) await given.bus.ensureStream(stream);
      log.start();
      await schema.start(begin);
    },
    async stop() {
      stopping.abort();
      await options.stop?.();
      await schema.stop();
      await Promise.allSettled(following);
      await Promise.all(all().map((projector) => projector.stop()));
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

function openedOf<Given extends AggregateDependencies>(
  given: Given & { readonly eventStore: WatchedEventStore },
  running: ReadonlyMap<string, Projector>,
  signal: AbortSignal,
): Opened<Given> {
  const projector = ({ projection }: Named) => running.get(projection);
  const isComplete = (named: Named) => projector(named)?.isComplete() ?? false;
  const projected =
    (...projections: readonly Named[]): Projector['waitFor'] =>
    async (position, timeoutMs) => {
      const waits = projections.map(
        async (one) => (await projector(one)?.waitFor(position, timeoutMs)) ?? false,
      );
      return (await Promise.all(waits)).every((isHeld) => isHeld);
    };
  const held =
    (...projections: readonly Named[]) =>
    (position: Position) =>
      projected(...projections)(position, heldTimeoutMs);
  const shown = (...projections: readonly Named[]): Shown => {
    const waitFor = projected(...projections);
    return (position, stopped) => untilShown(waitFor, position, stopped);
  };
  return { ...given, readModel: given.database, projected, held, shown, isComplete, signal };
}

/** Sends a notice beside the answer to its command. A reaction sends it as well, from the log. */
export function beside(published: Promise<void>): void {
  published.catch(() => {});
}
