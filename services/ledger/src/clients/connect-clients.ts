import type { Lifecycle } from '@sluice/boot';
import { type Bus, connectBus } from '@sluice/bus';
import type { Logger } from '@sluice/logging';
import { type Database, openDatabase } from '@sluice/read-model';
import type { LedgerConfig } from '../config.ts';

export interface Clients {
  readonly bus: Bus;
  readonly database: Database;
}

/** Connects the ledger to a durable bus and to PostgreSQL when it runs as a process of its own. */
export async function connectClients(
  config: LedgerConfig,
  { logger, lifecycle }: { readonly logger: Logger; readonly lifecycle: Lifecycle },
): Promise<Clients> {
  const bus = await connectBus({
    url: config.SLUICE_NATS_URL,
    token: config.SLUICE_NATS_TOKEN?.reveal(),
    monitorUrl: config.SLUICE_NATS_MONITOR_URL,
    name: 'ledger',
    logger,
  });
  lifecycle.add({ name: 'bus', stop: () => bus.stop() });
  await bus.assertDurable();
  const database = openDatabase({
    url: config.SLUICE_POSTGRES_URL.reveal(),
    schema: 'ledger',
    connectionsMax: config.SLUICE_POSTGRES_CONNECTIONS,
  });
  lifecycle.add({ name: 'read model', stop: () => database.stop() });
  return { bus, database };
}
