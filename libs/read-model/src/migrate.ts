import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection } from './connection.ts';
import type { Database } from './database.ts';
import { ensureTenantRole, secureRows } from './row-level-security.ts';
import { ensureKnownEvents } from './same-log/known-events.ts';
import { ensureKnownLog } from './same-log/known-log.ts';
import { lockUntilCommit, migrationLock } from './session-lock.ts';
import { requireSetup } from './setup/require-setup.ts';
import { ensureStandstills } from './standstill/standstill.ts';
import type { Queryable } from './statement.ts';

interface Migration {
  readonly number: number;
  readonly name: string;
  readonly text: string;
  readonly digest: string;
}

/** A migration may read a large table once. */
const statementTimeoutMs = 3_600_000;
const fileName = /^(\d{4})_[a-z0-9_]+\.sql$/;

/**
 * Brings the schema to the newest `NNNN_what.sql` of the directory: forward only, each file in its
 * own transaction. Processes that start together take turns; a file that changed after it was
 * applied is an error. Also makes the schema and the table of checkpoints, and sees to it that rows
 * with an account id can be read for that account only. Throws SetupMissing when only an administrator of
 * PostgreSQL can give what is lacking.
 */
export async function migrate(database: Database, directory: string): Promise<void> {
  const migrations = await readMigrations(directory);
  const connection = await database.connect({ statementTimeoutMs });
  try {
    await inTurn(connection, database.schema, (transaction) => ensure(transaction, database));
    for (const migration of migrations)
      await inTurn(connection, database.schema, (transaction) => applyOnce(transaction, migration));
    await inTurn(connection, database.schema, secureRows);
  } finally {
    await connection.close();
  }
}

/** The migrations of a directory, in order. Throws where a number is missing. */
export async function readMigrations(directory: string): Promise<readonly Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).toSorted();
  const migrations: Migration[] = [];
  for (const name of names) {
    const number = Number(fileName.exec(name)?.[1] ?? 0);
    if (number !== migrations.length + 1)
      throw new Error(`migration ${name}: expected number ${migrations.length + 1}`);
    const text = await readFile(join(directory, name), 'utf8');
    const digest = createHash('sha256').update(text).digest('hex');
    migrations.push({ number, name, text, digest });
  }
  return migrations;
}

/** The lock ends with the transaction, so a process that dies blocks no other. */
async function inTurn(
  connection: Connection,
  schema: string,
  work: (transaction: Queryable) => Promise<void>,
): Promise<void> {
  await connection.transaction(async (transaction) => {
    await lockUntilCommit(transaction, migrationLock(schema));
    await work(transaction);
  });
}

async function ensure(
  transaction: Queryable,
  { schema, installation }: Pick<Database, 'schema' | 'installation'>,
): Promise<void> {
  await requireSetup(transaction);
  const text = `
    CREATE SCHEMA IF NOT EXISTS "${schema}";
    CREATE TABLE IF NOT EXISTS migrations (
      number integer PRIMARY KEY,
      name text NOT NULL,
      digest text NOT NULL,
      applied_at timestamptz NOT NULL DEFAULT now()
    );
    CREATE TABLE IF NOT EXISTS checkpoints (
      projection text NOT NULL,
      version integer NOT NULL,
      commit_position bigint NOT NULL,
      prepare_position bigint NOT NULL,
      updated_at timestamptz NOT NULL DEFAULT now(),
      rebuilds integer NOT NULL DEFAULT 0,
      PRIMARY KEY (projection, version)
    );`;
  await transaction.query({ text, values: [] });
  await addRebuilds(transaction);
  await ensureKnownLog(transaction);
  await ensureKnownEvents(transaction, installation);
  await ensureStandstills(transaction);
  await ensureTenantRole(transaction, schema);
}

/** For tables that were made before rebuilds were counted; locks nothing where nothing is to do. */
async function addRebuilds(transaction: Queryable): Promise<void> {
  const found = await transaction.query({
    text: `SELECT FROM information_schema.columns WHERE table_schema = current_schema()
             AND table_name = 'checkpoints' AND column_name = 'rebuilds'`,
    values: [],
  });
  if (found.length > 0) return;
  const text = 'ALTER TABLE checkpoints ADD COLUMN rebuilds integer NOT NULL DEFAULT 0';
  await transaction.query({ text, values: [] });
}

async function applyOnce(transaction: Queryable, migration: Migration): Promise<void> {
  const { number, name, text, digest } = migration;
  const inserted = await transaction.query({
    text: `INSERT INTO migrations (number, name, digest) VALUES ($1, $2, $3)
           ON CONFLICT (number) DO NOTHING RETURNING number`,
    values: [number, name, digest],
  });
  if (inserted.length > 0) {
    await transaction.query({ text, values: [] });
    return;
  }
  const [applied] = await transaction.query<{ digest: string }>({
    text: 'SELECT digest FROM migrations WHERE number = $1',
    values: [number],
  });
  if (applied?.digest !== digest) throw new Error(`migration ${name} changed after it was applied`);
}
