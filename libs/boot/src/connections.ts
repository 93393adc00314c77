import { type Bus, connectBus } from '@sluice/bus';
import type { Logger } from '@sluice/logging';
import { type Database, openDatabase } from '@sluice/read-model';
import { rpcClient, type RpcClient, type RpcDefinition } from '@sluice/rpc';
import type { Secret } from './config.ts';
import type { Lifecycle } from './lifecycle.ts';

/** The settings of `busSettings`. */
export interface BusConfig {
  readonly SLUICE_NATS_URL: string;
  readonly SLUICE_NATS_TOKEN?: Secret | undefined;
  /** The address where the broker reports its settings. */
  readonly SLUICE_NATS_MONITOR_URL?: string | undefined;
}

/** The settings of `readModelSettings`. */
export interface ReadModelConfig {
  readonly SLUICE_POSTGRES_URL: Secret;
  readonly SLUICE_POSTGRES_CONNECTIONS: number;
}

/** Connects to the bus until the lifecycle ends. */
export async function openBus(
  name: string,
  config: BusConfig,
  { logger, lifecycle }: { readonly logger: Logger; readonly lifecycle: Lifecycle },
): Promise<Bus> {
  const bus = await connectBus({
    url: config.SLUICE_NATS_URL,
    token: config.SLUICE_NATS_TOKEN?.reveal(),
    monitorUrl: config.SLUICE_NATS_MONITOR_URL,
    name,
    logger,
  });
  lifecycle.add({ name: 'bus', stop: () => bus.stop() });
  return bus;
}

/** Opens the database of a schema until the lifecycle ends. */
export function openReadModel(
  place: { readonly schema: string; readonly installation?: string },
  config: ReadModelConfig,
  { lifecycle }: { readonly lifecycle: Lifecycle },
): Database {
  const url = config.SLUICE_POSTGRES_URL.reveal();
  const connectionsMax = config.SLUICE_POSTGRES_CONNECTIONS;
  const database = openDatabase({ ...place, url, connectionsMax });
  lifecycle.add({ name: 'read model', stop: () => database.stop() });
  return database;
}

/** Returns the client of another service. It connects with the first call, and closes with the lifecycle. */
export type CallService = <Definition extends RpcDefinition>(
  definition: Definition,
  address: string,
  deadlineMs?: number,
) => RpcClient<Definition>;

const callDeadlineMs = 2_000;

/** Returns what connects a process to other services. */
export function callerOf({
  config,
  lifecycle,
}: {
  readonly config: { readonly SLUICE_RPC_TOKEN: Secret };
  readonly lifecycle: Lifecycle;
}): CallService {
  const token = config.SLUICE_RPC_TOKEN.reveal();
  return (definition, address, deadlineMs = callDeadlineMs) => {
    const client = rpcClient(definition, { address, token, deadlineMs });
    lifecycle.add({ name: `client of ${address}`, stop: async () => client.close() });
    return client;
  };
}
