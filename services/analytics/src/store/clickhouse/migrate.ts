import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readMigrations } from '@sluice/read-model';
import type { ClickHouse } from './engine.ts';

const directory = join(import.meta.dirname, 'migrations');

const ddlMs = 180_000;

/**
 * Brings the tables to the newest migration: forward only, in order, each once. ClickHouse has no transactions for
 * tables, so every statement may run again: after a kill, or in two replicas at once. A file that changed after it was
 * applied is an error.
 */
export async function migrate(clickHouse: ClickHouse): Promise<void> {
  const { cluster } = clickHouse;
  await clickHouse.createDatabase(onCluster(cluster));
  const run = async (text: string) => {
    for (const statement of statementsOf(text, clickHouse))
      await clickHouse.command({ text: statement, values: {} }, ddlMs);
  };
  await run(migrationsTable);
  const applied = new Map(
    (
      await clickHouse.query<{ name: string; digest: string }>({
        text: 'SELECT name, digest FROM migrations FINAL',
        values: {},
      })
    ).map(({ name, digest }) => [name, digest]),
  );
  for (const { number, name, text } of await readMigrations(directory)) {
    const digest = createHash('sha256').update(text).digest('hex');
    const known = applied.get(name);
    if (known === digest) continue;
    if (known !== undefined) throw new Error(`migration ${name} changed after it was applied`);
    await run(text);
    await clickHouse.insert({
      table: 'migrations',
      columns: ['number', 'name', 'digest'],
      rows: [[number, name, digest]],
    });
  }
}

const migrationsTable = `
  CREATE TABLE IF NOT EXISTS migrations{local} {on cluster} (
    number UInt16, name String, digest String, applied_at DateTime('UTC') DEFAULT now('UTC')
  ) ENGINE = {replicated}ReplacingMergeTree ORDER BY number;
  {cluster migrations by 1};`;

const onCluster = (cluster: string | undefined) =>
  cluster === undefined ? '' : `ON CLUSTER ${cluster}`;

/**
 * Returns the statements of a migration for one server, or for a cluster. There, each table has a second one over it
 * that spreads rows over the shards; the first one is called `…_local`, and is replicated.
 */
export function statementsOf(
  text: string,
  { database, cluster }: Pick<ClickHouse, 'database' | 'cluster'>,
): readonly string[] {
  return text
    .replaceAll(/^\s*--.*$/gm, '')
    .split(';')
    .map((statement) =>
      statement
        .replaceAll('{local}', cluster === undefined ? '' : '_local')
        .replaceAll('{on cluster}', onCluster(cluster))
        .replaceAll('{replicated}', cluster === undefined ? '' : 'Replicated')
        .replace(/\{cluster (\w+) by (.+)\}/, (_all, table: string, key: string) =>
          cluster === undefined
            ? ''
            : `CREATE TABLE IF NOT EXISTS ${table} ${onCluster(cluster)} AS ${table}_local
               ENGINE = Distributed(${cluster}, ${database}, ${table}_local, ${key})`,
        )
        .trim(),
    )
    .filter((statement) => statement !== '');
}
