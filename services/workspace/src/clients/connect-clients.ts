import { type Bus, connectBus } from '@sluice/bus';
import type { EventStore } from '@sluice/es';
import { connectEventStore } from '@sluice/eventstore';
import { AccountServiceService } from '@sluice/protos/sluice/account/v1/account';
import { KeyServiceService } from '@sluice/protos/sluice/key/v1/key';
import { type Database, openDatabase } from '@sluice/read-model';
import { rpcClient } from '@sluice/rpc';
import type { Lifecycle } from '@sluice/boot';
import type { Logger } from '@sluice/logging';
import type { Directory } from '../commands/directory.ts';
import type { WorkspaceConfig } from '../config.ts';
import { rpcDirectory } from './directory.ts';

export interface Clients {
  readonly eventStore: EventStore;
  readonly database: Database;
  readonly bus: Bus;
  readonly directory: Directory;
}

const deadlineMs = 2_000;

/** What the service reaches over the network when it runs on its own; `lifecycle` ends it. */
export async function connectClients(
  config: WorkspaceConfig,
  { logger, lifecycle }: { readonly logger: Logger; readonly lifecycle: Lifecycle },
): Promise<Clients> {
  const url = config.SLUICE_EVENTSTORE_URL.reveal();
  const namespace = config.SLUICE_EVENTSTORE_NAMESPACE;
  const eventStore = await connectEventStore({ url, namespace, logger });
  lifecycle.add({ name: 'event store', stop: () => eventStore.stop() });
  const database = openDatabase({
    url: config.SLUICE_POSTGRES_URL.reveal(),
    schema: 'workspace',
    connectionsMax: config.SLUICE_POSTGRES_CONNECTIONS,
  });
  lifecycle.add({ name: 'read model', stop: () => database.stop() });
  const bus = await connectBus({
    url: config.SLUICE_NATS_URL,
    token: config.SLUICE_NATS_TOKEN.reveal(),
    name: 'workspace',
    logger,
  });
  lifecycle.add({ name: 'bus', stop: () => bus.stop() });
  return { eventStore, database, bus, directory: connectDirectory(config, lifecycle) };
}

/** Connects with the first question. */
function connectDirectory(config: WorkspaceConfig, lifecycle: Lifecycle): Directory {
  const token = config.SLUICE_RPC_TOKEN.reveal();
  const accountAddress = { address: config.SLUICE_ACCOUNT_ADDRESS, token, deadlineMs };
  const keyAddress = { address: config.SLUICE_KEY_ADDRESS, token, deadlineMs };
  const accounts = rpcClient(AccountServiceService, accountAddress);
  lifecycle.add({ name: 'account client', stop: async () => accounts.close() });
  const keys = rpcClient(KeyServiceService, keyAddress);
  lifecycle.add({ name: 'key client', stop: async () => keys.close() });
  return rpcDirectory({ accounts, keys });
}
