import { type Bus, connectBus } from '@sluice/bus';
import type { EventStore } from '@sluice/es';
import { connectEventStore } from '@sluice/eventstore';
import { type Database, openDatabase } from '@sluice/read-model';
import type { Lifecycle } from '@sluice/boot';
import type { Logger } from '@sluice/logging';
import type { Catalogue, Directory } from '../commands/directory.ts';
import type { GuardrailConfig } from '../config.ts';
import { listedModels } from './catalogue.ts';
import { connectDirectory } from './connect-directory.ts';
import { listsOverHttp } from './lists-over-http.ts';

export interface Clients {
  readonly eventStore: EventStore;
  readonly database: Database;
  readonly bus: Bus;
  readonly directory: Directory;
  readonly catalogue: Catalogue;
}

/** What the service reaches over the network when it runs on its own; `lifecycle` ends it. */
export async function connectClients(
  config: GuardrailConfig,
  { logger, lifecycle }: { readonly logger: Logger; readonly lifecycle: Lifecycle },
): Promise<Clients> {
  const url = config.SLUICE_EVENTSTORE_URL.reveal();
  const namespace = config.SLUICE_EVENTSTORE_NAMESPACE;
  const eventStore = await connectEventStore({ url, namespace, logger });
  lifecycle.add({ name: 'event store', stop: () => eventStore.stop() });
  const database = openDatabase({
    url: config.SLUICE_POSTGRES_URL.reveal(),
    schema: 'guardrail',
    connectionsMax: config.SLUICE_POSTGRES_CONNECTIONS,
  });
  lifecycle.add({ name: 'read model', stop: () => database.stop() });
  const bus = await connectBus({
    url: config.SLUICE_NATS_URL,
    token: config.SLUICE_NATS_TOKEN.reveal(),
    name: 'guardrail',
    logger,
  });
  lifecycle.add({ name: 'bus', stop: () => bus.stop() });
  const token = config.SLUICE_RPC_TOKEN.reveal();
  const directory = connectDirectory({
    accountAddress: config.SLUICE_ACCOUNT_ADDRESS,
    workspaceAddress: config.SLUICE_WORKSPACE_ADDRESS,
    keyAddress: config.SLUICE_KEY_ADDRESS,
    token,
  });
  lifecycle.add({ name: 'directory', stop: () => directory.stop() });
  const catalogue = listedModels(listsOverHttp({ url: config.SLUICE_ROUTING_URL, token }));
  return { eventStore, database, bus, directory, catalogue };
}
