import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface ClickHouseServer {
  /** http://host:port, without a database. */
  readonly url: string;
  stop(): Promise<void>;
}

/** The tests of ClickHouse have something to run on. */
export const hasClickHouse =
  process.env['CLICKHOUSE_URL'] !== undefined || process.env['CHDB_PACKAGES'] !== undefined;

/**
 * Returns the server of `CLICKHOUSE_URL`. Without one, it starts ClickHouse as a library behind a thin HTTP server;
 * `CHDB_PACKAGES` is the folder in which `chdb` is installed. With `isEndless`, that ends no statement by itself.
 */
export async function startClickHouse({ isEndless = false } = {}): Promise<ClickHouseServer> {
  const given = process.env['CLICKHOUSE_URL'];
  if (given !== undefined) return { url: given.replace(/\/$/, ''), stop: async () => undefined };
  const packages = process.env['CHDB_PACKAGES'];
  if (packages === undefined) throw new Error('set CLICKHOUSE_URL, or run make test-clickhouse');
  const data = await mkdtemp(join(tmpdir(), 'chdb-'));
  const program = join(import.meta.dirname, 'chdb/main.ts');
  const child = spawn(
    process.execPath,
    [program, packages, data, ...(isEndless ? ['endless'] : [])],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, UV_THREADPOOL_SIZE: '8' },
    },
  );
  const exited = once(child, 'exit');
  const [port] = (await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    exited.then(() => {
      throw new Error('chdb has ended before it had a port');
    }),
  ])) as [string];
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      child.stdin.end();
      await exited;
      await rm(data, { recursive: true, force: true });
    },
  };
}
