import { join } from 'node:path';
import type { Connection } from '@sluice/read-model';
import { type ArchivedTable, archivedTables, rowsOfTime } from '../archive/archived-rows.ts';
import { readLines, sumFile } from '../archive/archive-file.ts';

/** Facts that a verification reads. */
export interface VerifiedFacts {
  /** The folder of the archives; undefined: there are none. */
  readonly archive: string | undefined;
  /** `2026-11-18`: only facts that were admitted on this day of UTC. */
  readonly day: string | undefined;
}

/** Thrown if an archive is missing or damaged. The message is a sentence. */
export class ArchiveUnreadable extends Error {
  override readonly name = 'ArchiveUnreadable';
}

interface Archive {
  readonly day: string;
  readonly file: string;
  readonly bytes: bigint;
  readonly sha256: string;
}

const batchCharacters = 1_048_576;
const line = /^\{"table":"([a-z_]+)","row":(.*)\}$/;

/**
 * Makes the tables of facts that the statements of this connection see from now on: with the rows of archives, and of
 * one day only if that is asked for. Temporary views stand before the tables. Returns the number of archives that were
 * read. Throws ArchiveUnreadable.
 */
export async function shadowTables(
  connection: Connection,
  schema: string,
  facts: VerifiedFacts,
): Promise<number> {
  const archives = await archivesOf(connection, facts.day);
  if (archives.length > 0 && facts.archive === undefined) {
    const days = archives.length === 1 ? '1 file' : `${archives.length} files`;
    throw new ArchiveUnreadable(`Facts are archived in ${days}: name their folder with --archive.`);
  }
  if (archives.length === 0) return 0;
  for (const table of archivedTables)
    await run(
      connection,
      `CREATE TEMPORARY TABLE archived_${table} AS SELECT * FROM "${schema}".${table} WITH NO DATA`,
    );
  for (const archive of archives) {
    const path = join(facts.archive ?? '', archive.file);
    await requireWhole(path, archive);
    await load(connection, path);
  }
  for (const table of archivedTables) await run(connection, `ANALYZE archived_${table}`);
  for (const table of archivedTables.toReversed())
    await run(
      connection,
      `CREATE TEMPORARY VIEW ${table} AS
        SELECT * FROM "${schema}".${table} UNION ALL SELECT * FROM archived_${table}`,
    );
  return archives.length;
}

/**
 * Copies the rows of a day to temporary tables, which the statements of this connection see from now on: each table is
 * read once, however many sums are compared.
 */
export async function shadowDay(
  transaction: Pick<Connection, 'query'>,
  day: string,
): Promise<void> {
  const [from, to] = [`'${day}'::timestamptz`, `('${day}'::date + 1)::timestamptz`];
  for (const table of archivedTables.toReversed()) {
    await run(
      transaction,
      `CREATE TEMPORARY TABLE day_${table} AS SELECT * FROM ${table} WHERE ${rowsOfTime(table, from, to)}`,
    );
    await run(transaction, `ANALYZE day_${table}`);
    await run(transaction, `DROP VIEW IF EXISTS pg_temp.${table}`);
    await run(transaction, `ALTER TABLE day_${table} RENAME TO ${table}`);
  }
  await run(
    transaction,
    `CREATE TEMPORARY TABLE day_log AS SELECT entry_kind, ARRAY[usage_id] AS usage_ids
      FROM fact_log CROSS JOIN LATERAL unnest(usage_ids) AS entry (usage_id)
      WHERE usage_id IN (SELECT usage_id FROM usage_facts)`,
  );
  await run(transaction, 'ALTER TABLE day_log RENAME TO fact_log');
}

/** Throws ArchiveUnreadable if another number of archives is there now. */
export async function requireArchives(
  transaction: Pick<Connection, 'query'>,
  day: string | undefined,
  read: number,
): Promise<void> {
  if ((await archivesOf(transaction, day)).length === read) return;
  throw new ArchiveUnreadable('Facts were archived while the archives were read: try again.');
}

async function archivesOf(
  connection: Pick<Connection, 'query'>,
  day: string | undefined,
): Promise<readonly Archive[]> {
  return await connection.query<Archive>({
    text: `SELECT day::text AS day, file, bytes, sha256 FROM archives
      WHERE $1::date IS NULL OR day = $1::date ORDER BY day, part`,
    values: [day ?? null],
  });
}

async function requireWhole(path: string, { day, bytes, sha256 }: Archive): Promise<void> {
  const sum = await sumFile(path);
  if (!sum) throw new ArchiveUnreadable(`The archive of ${day} is missing: ${path}.`);
  if (BigInt(sum.bytes) !== bytes || sum.sha256 !== sha256)
    throw new ArchiveUnreadable(`The archive of ${day} is damaged: ${path}.`);
}

async function load(connection: Connection, path: string): Promise<void> {
  let table: ArchivedTable | undefined;
  let rows: string[] = [];
  let characters = 0;
  const flush = async () => {
    if (table !== undefined && rows.length > 0) await insert(connection, table, rows);
    rows = [];
    characters = 0;
  };
  for await (const text of readLines(path)) {
    const [, name, row] = line.exec(text) ?? [];
    // The head of the file.
    if (name === undefined || row === undefined) continue;
    const of = archivedTables.find((one) => one === name);
    if (!of) throw new ArchiveUnreadable(`${path} has rows of ${name}: it is of a later release.`);
    if (of !== table || characters > batchCharacters) await flush();
    table = of;
    rows.push(row);
    characters += row.length;
  }
  await flush();
}

async function insert(
  connection: Connection,
  table: ArchivedTable,
  rows: readonly string[],
): Promise<void> {
  await connection.query({
    text: `INSERT INTO archived_${table}
      SELECT * FROM json_populate_recordset(NULL::archived_${table}, $1::json)`,
    values: [`[${rows.join(',')}]`],
  });
}

async function run(connection: Pick<Connection, 'query'>, text: string): Promise<void> {
  await connection.query({ text, values: [] });
}
