import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, startServerProcess } from '@sluice/embedded';
import { descendantsOf } from '@sluice/testing/process-stat';
import { startService, startStores, type Stores } from '../../stores.ts';
import { responsesDoor } from '../door.ts';
import type { SluiceOptions } from '../sluice/subject.ts';
import type { Subject } from '../subject.ts';

type FloorOptions = Pick<SluiceOptions, 'upstream' | 'folder' | 'environment'>;

/** Starts the bare proxy with exact books: the least that a gateway with them takes. The ledger is Sluice's. */
export async function startFloor(options: FloorOptions): Promise<Subject> {
  await using starting = new AsyncDisposableStack();
  const folder = await mkdtemp(join(options.folder, 'floor-'));
  starting.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const stores = await startStores(folder, starting);
  const floor = await startFloorOn(stores, starting, { ...options, folder });
  const running = starting.move();
  return { ...floor, stop: () => running.disposeAsync() };
}

/** The same on stores that run. The stack stops it. */
export async function startFloorOn(
  stores: Stores,
  stack: AsyncDisposableStack,
  { upstream, folder, environment }: FloorOptions,
): Promise<Subject> {
  const { postgres, nats } = stores;
  const [port, adminPort, ledgerAdminPort] = [await freePort(), await freePort(), await freePort()];
  const address = `127.0.0.1:${await freePort()}`;
  const nobody = '127.0.0.1:1';
  const ledger = { name: 'ledger', address, others: nobody, adminPort: ledgerAdminPort } as const;
  const ledgerPid = await startService(ledger, stores, stack);
  const proxy = await startServerProcess({
    name: 'floor',
    command: process.execPath,
    args: [
      join(import.meta.dirname, 'floor-proxy.ts'),
      String(port),
      String(adminPort),
      `http://127.0.0.1:${upstream.port}`,
      join(folder, 'spool'),
      nats.url,
      nats.token,
    ],
    env: environment,
    stopSignal: 'SIGTERM',
    readyPattern: /Ready for connections/,
    onLog: () => undefined,
  });
  stack.defer(() => proxy.stop());
  const books = [postgres.pid, nats.pid, ledgerPid];
  return {
    name: 'floor',
    port,
    path: '/v1/responses',
    door: responsesDoor,
    model: 'echo',
    headers: {},
    adminUrl: `http://127.0.0.1:${adminPort}`,
    otherAdminUrls: [`http://127.0.0.1:${ledgerAdminPort}`],
    dataDirectory: folder,
    pids: async () => ({
      measured: [proxy.pid],
      others: [...books, ...(await descendantsOf(books))],
    }),
    stop: () => proxy.stop(),
  };
}
