import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface ClickHouseServer {
  /** http://host:port, without a database. */
  readonly url: string;
  /** A cluster of it. Undefined: none is known. */
  readonly cluster: string | undefined;
  /** False: it knows no `ON CLUSTER`, and its tables cannot be replicated. */
  readonly hasKeeper: boolean;
  stop(): Promise<void>;
}

/** The tests of ClickHouse have something to run on. */
export const hasClickHouse =
  process.env['CLICKHOUSE_URL'] !== undefined || process.env['CHDB_PACKAGES'] !== undefined;

/** The tests of a cluster of ClickHouse have something to run on. */
export const hasClickHouseCluster =
  process.env['CLICKHOUSE_URL'] === undefined
    ? process.env['CHDB_PACKAGES'] !== undefined
    : process.env['CLICKHOUSE_CLUSTER'] !== undefined;

/**
 * Returns the server of `CLICKHOUSE_URL`. Without one, it starts ClickHouse as a library behind a thin HTTP server;
 * `CHDB_PACKAGES` is the folder in which `chdb` is installed. With `isEndless`, that ends no statement by itself.
 * `CLICKHOUSE_CLUSTER` is the name of a cluster of that server. The library has one with one shard.
 */
export async function startClickHouse({ isEndless = false } = {}): Promise<ClickHouseServer> {
  const given = process.env['CLICKHOUSE_URL'];
  if (given !== undefined)
    return {
      url: given.replace(/\/$/, ''),
      cluster: process.env['CLICKHOUSE_CLUSTER'],
      hasKeeper: true,
      stop: async () => undefined,
    };
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
    cluster: 'one_shard',
    hasKeeper: false,
    stop: async () => {
      child.stdin.end();
      await exited;
      await rm(data, { recursive: true, force: true });
    },
  };
}
