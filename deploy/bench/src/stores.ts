import { join } from 'node:path';
import { connectBus } from '@sluice/bus';
import { ensureNatsServer, startNats, startPostgres } from '@sluice/embedded';

/** Starts PostgreSQL and a broker below the folder, and connects with the broker. The stack stops them. */
export async function startStores(
  scratch: string,
  stack: AsyncDisposableStack,
  onProgress: (line: string) => void,
) {
  const onLog = () => undefined;
  const logger = { debug: onLog, info: onLog, warn: onLog, error: onProgress };
  const postgres = await startPostgres({ directory: join(scratch, 'postgres'), onLog });
  stack.defer(() => postgres.stop());
  const binary = await ensureNatsServer(process.env, onProgress);
  const nats = await startNats({ directory: join(scratch, 'nats'), binary, onLog });
  stack.defer(() => nats.stop());
  const bus = await connectBus({ url: nats.url, token: nats.token, name: 'bench', logger });
  stack.defer(() => bus.stop());
  return { postgres, nats, bus, logger };
}
