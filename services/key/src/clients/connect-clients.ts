import { type Bus, connectBus } from '@sluice/bus';
import type { EventStore } from '@sluice/es';
import { connectEventStore } from '@sluice/eventstore';
import { type Database, openDatabase } from '@sluice/read-model';
import type { Lifecycle } from '@sluice/boot';
import type { Logger } from '@sluice/logging';
import type { Directory } from '../commands/directory.ts';
import type { KeyConfig } from '../config.ts';
import { connectDirectory } from './connect-directory.ts';

export interface Clients {
  readonly eventStore: EventStore;
  readonly database: Database;
  readonly bus: Bus;
  readonly directory: Directory;
}

/** What the service reaches over the network when it runs on its own; `lifecycle` ends it. */
export async function connectClients(
  config: KeyConfig,
  { logger, lifecycle }: { readonly logger: Logger; readonly lifecycle: Lifecycle },
): Promise<Clients> {
  const url = config.SLUICE_EVENTSTORE_URL.reveal();
  const namespace = config.SLUICE_EVENTSTORE_NAMESPACE;
  const eventStore = await connectEventStore({ url, namespace, logger });
  lifecycle.add({ name: 'event store', stop: () => eventStore.stop() });
  const database = openDatabase({
    url: config.SLUICE_POSTGRES_URL.reveal(),
    schema: 'key',
    connectionsMax: config.SLUICE_POSTGRES_CONNECTIONS,
  });
  lifecycle.add({ name: 'read model', stop: () => database.stop() });
  const bus = await connectBus({
    url: config.SLUICE_NATS_URL,
    token: config.SLUICE_NATS_TOKEN.reveal(),
    name: 'key',
    logger,
  });
  lifecycle.add({ name: 'bus', stop: () => bus.stop() });
  const directory = connectDirectory({
    accountAddress: config.SLUICE_ACCOUNT_ADDRESS,
    workspaceAddress: config.SLUICE_WORKSPACE_ADDRESS,
    token: config.SLUICE_RPC_TOKEN.reveal(),
  });
  lifecycle.add({ name: 'directory', stop: () => directory.stop() });
  return { eventStore, database, bus, directory };
}
