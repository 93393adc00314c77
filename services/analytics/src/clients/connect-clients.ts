import type { Lifecycle } from '@sluice/boot';
import { type Bus, connectBus } from '@sluice/bus';
import { createEgress, type Egress } from '@sluice/egress';
import type { Logger } from '@sluice/logging';
import { LedgerServiceService } from '@sluice/protos/sluice/ledger/v1/ledger';
import { DestinationUseServiceService } from '@sluice/protos/sluice/workspace/v1/destination_use';
import { FileServiceService } from '@sluice/protos/sluice/workspace/v1/file';
import { type Database, openDatabase } from '@sluice/read-model';
import { type RpcClient, rpcClient } from '@sluice/rpc';
import { type ClickHouse, openClickHouse } from '../store/clickhouse/engine.ts';
import type { AnalyticsConfig } from '../config.ts';
import { openQuestions } from './open-questions.ts';

export interface Clients {
  readonly bus: Bus;
  readonly database: Database;
  readonly questions: Database;
  readonly ledger: RpcClient<typeof LedgerServiceService>;
  readonly files: RpcClient<typeof FileServiceService>;
  readonly destinations: RpcClient<typeof DestinationUseServiceService>;
  readonly egress: Egress;
  readonly clickHouse: ClickHouse | undefined;
}

const deadlineMs = 10_000;

/** Connects analytics to the bus, to PostgreSQL, to the ledger and to files when it runs as a process of its own. */
export async function connectClients(
  config: AnalyticsConfig,
  {
    logger,
    lifecycle,
    questionMsMax,
  }: {
    readonly logger: Logger;
    readonly lifecycle: Lifecycle;
    readonly questionMsMax: number;
  },
): Promise<Clients> {
  const bus = await connectBus({
    url: config.SLUICE_NATS_URL,
    token: config.SLUICE_NATS_TOKEN?.reveal(),
    name: 'analytics',
    logger,
  });
  lifecycle.add({ name: 'bus', stop: () => bus.stop() });
  const url = config.SLUICE_POSTGRES_URL.reveal();
  const connectionsMax = config.SLUICE_POSTGRES_CONNECTIONS;
  const [database, questions] = [
    openDatabase({ url, schema: 'analytics', connectionsMax }),
    openQuestions({ url, connectionsMax, statementTimeoutMs: questionMsMax }),
  ];
  lifecycle.add({ name: 'read model', stop: () => database.stop() });
  lifecycle.add({ name: 'questions', stop: () => questions.stop() });
  const token = config.SLUICE_RPC_TOKEN.reveal();
  const ledger = rpcClient(LedgerServiceService, {
    address: config.SLUICE_LEDGER_ADDRESS,
    token,
    deadlineMs,
  });
  lifecycle.add({ name: 'ledger', stop: async () => ledger.close() });
  const files = rpcClient(FileServiceService, {
    address: config.SLUICE_WORKSPACE_ADDRESS,
    token,
    deadlineMs,
  });
  lifecycle.add({ name: 'files', stop: async () => files.close() });
  const destinations = rpcClient(DestinationUseServiceService, {
    address: config.SLUICE_WORKSPACE_ADDRESS,
    token,
    deadlineMs,
  });
  lifecycle.add({ name: 'destinations', stop: async () => destinations.close() });
  const egress = createEgress({ allowList: config.bucketAddresses });
  lifecycle.add({ name: 'egress', stop: () => egress.stop() });
  const clickHouse = config.clickHouse && openClickHouse(config.clickHouse);
  if (clickHouse) lifecycle.add({ name: 'ClickHouse', stop: () => clickHouse.stop() });
  return { bus, database, questions, ledger, files, destinations, egress, clickHouse };
}
