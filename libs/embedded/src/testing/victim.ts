import { join } from 'node:path';
import { ensureNatsServer } from '../nats/install.ts';
import { startNats } from '../nats/nats.ts';
import { startPostgres } from '../postgres/postgres.ts';

/** Starts both servers, says their process ids, and waits to be killed. */
const directory = process.argv[2] ?? '';
const onLog = () => undefined;
const binary = await ensureNatsServer(process.env, onLog);
const [postgres, nats] = await Promise.all([
  startPostgres({ directory: join(directory, 'postgres'), durability: 'none', onLog }),
  startNats({ directory: join(directory, 'nats'), binary, onLog }),
]);
const started = { pids: [postgres.pid, nats.pid], postgresUrl: postgres.url };
process.stdout.write(`${JSON.stringify(started)}\n`);
