import { type Bus, connectBus } from '@sluice/bus';
import type { EventStore } from '@sluice/es';
import { connectEventStore } from '@sluice/eventstore';
import { WorkspaceServiceService } from '@sluice/protos/sluice/workspace/v1/workspace';
import { type Database, openDatabase } from '@sluice/read-model';
import { rpcClient } from '@sluice/rpc';
import type { Lifecycle } from '@sluice/boot';
import type { Logger } from '@sluice/logging';
import type { Workspaces } from '../commands/workspaces.ts';
import type { AccountConfig } from '../config.ts';
import { rpcWorkspaces } from './workspaces.ts';

export interface Clients {
  readonly eventStore: EventStore;
  readonly database: Database;
  readonly bus: Bus;
  readonly workspaces: Workspaces;
}

const deadlineMs = 5_000;

/** What the service reaches over the network when it runs on its own; `lifecycle` ends it. */
export async function connectClients(
  config: AccountConfig,
  { logger, lifecycle }: { readonly logger: Logger; readonly lifecycle: Lifecycle },
): Promise<Clients> {
  const url = config.SLUICE_EVENTSTORE_URL.reveal();
  const namespace = config.SLUICE_EVENTSTORE_NAMESPACE;
  const eventStore = await connectEventStore({ url, namespace, logger });
  lifecycle.add({ name: 'event store', stop: () => eventStore.stop() });
  const database = openDatabase({
    url: config.SLUICE_POSTGRES_URL.reveal(),
    schema: 'account',
    connectionsMax: config.SLUICE_POSTGRES_CONNECTIONS,
  });
  lifecycle.add({ name: 'read model', stop: () => database.stop() });
  const bus = await connectBus({
    url: config.SLUICE_NATS_URL,
    token: config.SLUICE_NATS_TOKEN.reveal(),
    name: 'account',
    logger,
  });
  lifecycle.add({ name: 'bus', stop: () => bus.stop() });
  // Connects with the first question.
  const calls = rpcClient(WorkspaceServiceService, {
    address: config.SLUICE_WORKSPACE_ADDRESS,
    token: config.SLUICE_RPC_TOKEN.reveal(),
    deadlineMs,
  });
  lifecycle.add({ name: 'workspace client', stop: async () => calls.close() });
  return { eventStore, database, bus, workspaces: rpcWorkspaces(calls) };
}
