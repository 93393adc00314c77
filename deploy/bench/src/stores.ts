import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connectBus } from '@sluice/bus';
import { ensureNatsServer, startNats, startPostgres, startServerProcess } from '@sluice/embedded';
import type { Queryable } from '@sluice/read-model';
import { showProgress } from './program.ts';

export type Stores = Awaited<ReturnType<typeof startStores>>;

/** Starts PostgreSQL and a broker below the folder, and connects with the broker. The stack stops them. */
export async function startStores(scratch: string, stack: AsyncDisposableStack) {
  const onLog = () => undefined;
  const logger = { debug: onLog, info: onLog, warn: onLog, error: showProgress };
  const postgres = await startPostgres({ directory: join(scratch, 'postgres'), onLog });
  stack.defer(() => postgres.stop());
  const binary = await ensureNatsServer(process.env, showProgress);
  const nats = await startNats({ directory: join(scratch, 'nats'), binary, onLog });
  stack.defer(() => nats.stop());
  const bus = await connectBus({ url: nats.url, token: nats.token, name: 'bench', logger });
  stack.defer(() => bus.stop());
  return { postgres, nats, bus, logger };
}

/** Opens the services that are started here. */
export const rpcToken = 'token-of-the-bench';
const services = join(import.meta.dirname, '../../../services');

interface ServiceOptions {
  readonly name: 'ledger' | 'analytics';
  readonly address: string;
  /** The address of the services that it calls. */
  readonly others: string;
  /** Any when absent. */
  readonly adminPort?: number;
}

/** Starts a service on the stores as a process of its own, and returns its id. The stack stops it. */
export async function startService(
  { name, address, others, adminPort = 0 }: ServiceOptions,
  { postgres, nats }: Stores,
  stack: AsyncDisposableStack,
): Promise<number> {
  const running = await startServerProcess({
    name,
    command: process.execPath,
    args: [join(services, name, 'src/main.ts')],
    env: {
      SLUICE_ADMIN_PORT: String(adminPort),
      SLUICE_POSTGRES_URL: postgres.url,
      SLUICE_NATS_URL: nats.url,
      SLUICE_NATS_TOKEN: nats.token,
      SLUICE_RPC_TOKEN: rpcToken,
      SLUICE_RPC_ADDRESS: address,
      SLUICE_LEDGER_ADDRESS: others,
      SLUICE_WORKSPACE_ADDRESS: others,
    },
    stopSignal: 'SIGTERM',
    readyPattern: /(?:ledger|analytics) serves/,
    onLog: () => undefined,
  });
  stack.defer(() => running.stop());
  return running.pid;
}

/** Returns how many facts the ledger has counted. */
export async function factsCounted(ledger: Queryable): Promise<number> {
  return await countOf(ledger, 'fact_log', 'sum(facts)');
}

export async function countOf(database: Queryable, table: string, count: string): Promise<number> {
  const text = `SELECT coalesce(${count}, 0)::bigint AS count FROM ${table}`;
  const [row] = await database.query<{ count: bigint }>({ text, values: [] });
  return Number(row?.count ?? 0);
}

const lookMs = 20;

/** Resolves once it is so, however long that takes. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(lookMs);
}
