import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { connectionsOf } from './connections.ts';

const program = join(import.meta.dirname, '../../../docs/examples/usage-consumer.mjs');

/** Starts docs/examples/usage-consumer.mjs on the facts of an instance, with a database in `folder`. */
export async function startUsageConsumer(dataDirectory: string, folder: string) {
  const { nats_url: url } = await connectionsOf({ dataDirectory });
  const password = await readFile(join(dataDirectory, 'nats', 'reader-password'), 'utf8');
  const file = join(folder, 'usage.sqlite');
  const child = spawn(process.execPath, [program], {
    env: {
      SLUICE_NATS_URL: url,
      SLUICE_NATS_PASSWORD: password.trim(),
      EXAMPLE_DATABASE: file,
    },
    stdio: 'ignore',
  });
  const ended = once(child, 'close');
  return {
    /** Returns what credits paid over all workspaces by now, in nano-USD. It throws before there is a table. */
    nanoUsd(): bigint {
      const database = new DatabaseSync(file, { readOnly: true });
      try {
        const select = database.prepare('SELECT sum(credits_nano_usd) AS total FROM usage');
        select.setReadBigInts(true);
        return (select.get() as { total: bigint | null }).total ?? 0n;
      } finally {
        database.close();
      }
    },
    async kill(): Promise<void> {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
