import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectionsOf } from './connections.ts';

const program = join(import.meta.dirname, '../../../docs/examples/usage-consumer.mjs');

/** Starts docs/examples/usage-consumer.mjs on the facts of an instance, with a database in `folder`. */
export async function startUsageConsumer(dataDirectory: string, folder: string) {
  const { nats_url: url } = await connectionsOf({ dataDirectory });
  const password = await readFile(join(dataDirectory, 'nats', 'reader-password'), 'utf8');
  const child = spawn(process.execPath, [program], {
    env: {
      SLUICE_NATS_URL: url,
      SLUICE_NATS_PASSWORD: password.trim(),
      EXAMPLE_DATABASE: join(folder, 'usage.sqlite'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  return {
    /** Returns the sum over all workspaces by now, in nano-USD. */
    nanoUsd(): number {
      const sums = new Map<string, number>();
      for (const [, workspace = '', usd] of output.matchAll(/^(.+): \d+ facts, (\S+) USD/gm))
        sums.set(workspace, Math.round(Number(usd) * 1e9));
      return [...sums.values()].reduce((sum, one) => sum + one, 0);
    },
    async stop(): Promise<void> {
      child.kill();
      await ended;
    },
  };
}
