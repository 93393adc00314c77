import { inMemoryBus, type InMemoryBus } from '@sluice/bus';
import { systemClock } from '@sluice/clock-and-ids';
import { type EventStore, inMemoryEventStore } from '@sluice/es';
import { createLogger } from '@sluice/logging';
import { testDatabase, type TestDatabase } from '@sluice/read-model/testing';
import { rpcClient, type RpcClient, startRpcServer, type RpcDefinition } from '@sluice/rpc';
import { createTelemetry } from '@sluice/telemetry';
import type { AggregateDependencies, AggregateService } from '../aggregate-service.ts';

type Definitions = Readonly<Record<string, RpcDefinition>>;

export type ClientsOf<Named extends Definitions> = {
  readonly [Name in keyof Named]: RpcClient<Named[Name]>;
};

export type Process<Named extends Definitions> = ClientsOf<Named> & {
  readonly service: AggregateService;
  stop(): Promise<void>;
};

export interface ServiceWorldOptions<Others extends object, Named extends Definitions> {
  readonly name: string;
  readonly postgresUrl: string;
  /** The folder of the migrations of its read models. */
  readonly migrations: string;
  /** In memory when absent. */
  readonly eventStore?: EventStore | undefined;
  readonly create: (given: AggregateDependencies & Others) => AggregateService;
  /** The dependencies that only this service has. */
  readonly others: Others;
  /** The calls of the service, by the name that its client gets in the world. */
  readonly clients: Named;
}

/** A service with PostgreSQL, over gRPC. Its database, its bus and its event store outlive a restart. */
export type ServiceWorld<Others extends object, Named extends Definitions> = ClientsOf<Named> & {
  readonly database: TestDatabase;
  readonly bus: InMemoryBus;
  readonly eventStore: EventStore;
  /** The service of the process that runs now. */
  readonly service: AggregateService;
  /** Ends the process and starts another one on the same data. `happen` runs between the two. */
  readonly restart: (
    changed?: Partial<AggregateDependencies & Others>,
    happen?: () => Promise<unknown>,
  ) => Promise<void>;
  /** Starts a second process beside the first, on the same data. The caller stops it. */
  readonly startReplica: () => Promise<Process<Named>>;
  /** Ends the process. */
  readonly crash: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

const token = 'a-token';
const deadlineMs = 20_000;

export async function serviceWorld<Others extends object, Named extends Definitions>(
  options: ServiceWorldOptions<Others, Named>,
): Promise<ServiceWorld<Others, Named>> {
  const { name, postgresUrl: url, migrations, others, clients } = options;
  const database = await testDatabase({ url, migrations });
  const bus = inMemoryBus();
  const common: AggregateDependencies = {
    eventStore: options.eventStore ?? inMemoryEventStore(systemClock),
    database,
    bus,
    clock: systemClock,
    logger: createLogger({ service: name, level: 'silent' }),
    telemetry: createTelemetry({ serviceName: name, otlpEndpoint: undefined }),
  };
  const given = { ...common, ...others };
  let running = await startProcess(options, given);
  const world = {
    database,
    bus,
    eventStore: common.eventStore,
    async restart(
      changed: Partial<AggregateDependencies & Others> = {},
      happen = async (): Promise<unknown> => undefined,
    ) {
      await running.stop();
      await happen();
      running = await startProcess(options, { ...given, ...changed });
    },
    // A connection of its own to the same store.
    startReplica: () => startProcess(options, { ...given, eventStore: { ...common.eventStore } }),
    crash: () => running.stop(),
    async stop() {
      await running.stop();
      await bus.stop();
      await database.drop();
    },
  };
  for (const part of ['service', ...Object.keys(clients)])
    Object.defineProperty(world, part, { enumerable: true, get: () => running[part] });
  return world as unknown as ServiceWorld<Others, Named>;
}

async function startProcess<Others extends object, Named extends Definitions>(
  { create, clients: named }: ServiceWorldOptions<Others, Named>,
  given: AggregateDependencies & Others,
): Promise<Process<Named>> {
  const service = create(given);
  await service.start();
  const server = await startRpcServer({
    services: service.rpc,
    address: '127.0.0.1:0',
    token,
    onBug: (error) => {
      throw error;
    },
  });
  const { address } = server;
  const clients = Object.entries(named).map(
    ([name, definition]) => [name, rpcClient(definition, { address, token, deadlineMs })] as const,
  );
  return {
    ...(Object.fromEntries(clients) as unknown as ClientsOf<Named>),
    service,
    async stop() {
      for (const [, client] of clients) client.close();
      await server.stop();
      await service.stop();
    },
  };
}
