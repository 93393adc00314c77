import type { Lifecycle } from '@sluice/boot';
import { type Bus, connectBus } from '@sluice/bus';
import type { Logger } from '@sluice/logging';
import { DestinationUseServiceService } from '@sluice/protos/sluice/workspace/v1/destination_use';
import { type Database, openDatabase } from '@sluice/read-model';
import { type RpcClient, rpcClient } from '@sluice/rpc';
import type { ObserverConfig } from '../config.ts';

export interface Clients {
  readonly bus: Bus;
  readonly database: Database;
  readonly workspaces: RpcClient<typeof DestinationUseServiceService>;
}

const deadlineMs = 5_000;

/** Connects the observer to the bus, to PostgreSQL and to workspaces when it runs as a process of its own. */
export async function connectClients(
  config: ObserverConfig,
  { logger, lifecycle }: { readonly logger: Logger; readonly lifecycle: Lifecycle },
): Promise<Clients> {
  const bus = await connectBus({
    url: config.SLUICE_NATS_URL,
    token: config.SLUICE_NATS_TOKEN?.reveal(),
    name: 'observer',
    logger,
  });
  lifecycle.add({ name: 'bus', stop: () => bus.stop() });
  const database = openDatabase({
    url: config.SLUICE_POSTGRES_URL.reveal(),
    schema: 'observer',
    connectionsMax: config.SLUICE_POSTGRES_CONNECTIONS,
  });
  lifecycle.add({ name: 'read model', stop: () => database.stop() });
  const workspaces = rpcClient(DestinationUseServiceService, {
    address: config.SLUICE_WORKSPACE_ADDRESS,
    token: config.SLUICE_RPC_TOKEN.reveal(),
    deadlineMs,
  });
  lifecycle.add({ name: 'workspaces', stop: async () => workspaces.close() });
  return { bus, database, workspaces };
}
