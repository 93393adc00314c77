import type { Connection, Queryable } from '@sluice/read-model';
import { ArchiveFile, type FileSum, freeName } from './archive-file.ts';
import { type ArchivedTable, archivedTables, rowsOfTime } from './archived-rows.ts';

/** A day of UTC, and the folder that gets its file. */
export interface DayToArchive {
  /** `2026-11-18` */
  readonly day: string;
  readonly folder: string;
}

/** The outcome for a day: its facts are in a file now and in the database no longer, or it has to wait. */
export type ArchivedDay =
  | {
      readonly kind: 'archived';
      readonly day: string;
      readonly file: string;
      readonly facts: bigint;
      readonly bytes: number;
    }
  | { readonly kind: 'held'; readonly day: string; readonly reason: string };

/** Thrown if rows of the day changed after they were written to the file. Nothing was removed. */
export class DayChanged extends Error {
  override readonly name = 'DayChanged';
}

const pageRows = 500;
const readOnly = 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY';
const lockTimeout = `SET LOCAL lock_timeout = '5s'`;

/**
 * Writes the facts of a day, and all that hangs on them, to a file, and removes them once the file is on the disk. What
 * is removed is compared with what was written, in the transaction that removes it. Returns undefined if the day has no
 * facts. Throws DayChanged.
 */
export async function archiveDay(
  connection: Connection,
  { day, folder }: DayToArchive,
): Promise<ArchivedDay | undefined> {
  const to = dayAfter(day);
  const reason = await reasonToWait(connection, [day, to]);
  if (reason !== undefined) return { kind: 'held', day, reason };
  const written = await connection.transaction(
    async (transaction) => await writeDay(transaction, { day, to, folder }),
  );
  if (!written) return undefined;
  const { sums, sum, name, facts } = written;
  await connection.transaction(async (transaction) => {
    await run(transaction, lockTimeout);
    await note(transaction, written, day);
    for (const table of archivedTables) {
      const removed = await remove(transaction, table, { day, to });
      if (removed !== sums.get(table))
        throw new DayChanged(`${day} changed while it was archived: try again.`);
    }
  });
  return { kind: 'archived', day, file: name, facts, bytes: sum.bytes };
}

const [from, past] = ['$1::timestamptz', '$2::timestamptz'];

const waits = `
  SELECT (SELECT count(*) FROM estimates WHERE ${rowsOfTime('estimates', from, past)}
      AND corrected_at IS NULL AND suspended_nano_usd + operator_suspended_nano_usd + claimed_nano_usd > 0)
      AS suspended,
    (SELECT count(*) FROM estimates WHERE ${rowsOfTime('estimates', from, past)}
      AND expired_at IS NOT NULL AND expiry_published_at IS NULL)
    + (SELECT count(*) FROM corrections WHERE ${rowsOfTime('corrections', from, past)}
      AND published_at IS NULL) AS unpublished`;

/** Estimates in suspense and corrections that are not published yet would be lost to those who end them. */
async function reasonToWait(
  connection: Queryable,
  values: readonly string[],
): Promise<string | undefined> {
  const [row] = await connection.query<{ suspended: bigint; unpublished: bigint }>({
    text: waits,
    values,
  });
  if (row && row.suspended > 0n) return `estimates in suspense: ${row.suspended}`;
  if (row && row.unpublished > 0n) return `corrections not published yet: ${row.unpublished}`;
  return undefined;
}

interface WrittenDay {
  readonly part: number;
  readonly name: string;
  readonly facts: bigint;
  readonly knownUntil: Date;
  readonly sum: FileSum;
  /** A digest of the rows of each table. */
  readonly sums: ReadonlyMap<ArchivedTable, string>;
}

async function writeDay(
  transaction: Queryable,
  { day, to, folder }: DayToArchive & { readonly to: string },
): Promise<WrittenDay | undefined> {
  await run(transaction, readOnly);
  const values = [day, to];
  const [known] = await transaction.query<Pick<WrittenDay, 'part' | 'facts' | 'knownUntil'>>({
    text: describe,
    values,
  });
  if (!known || known.facts === 0n) return undefined;
  const sums = new Map<ArchivedTable, string>();
  const name = await freeName(folder, day);
  const file = await ArchiveFile.create(folder, name);
  try {
    const head = { format: 'sluice-ledger-archive', version: 1, day, part: known.part };
    await file.write([JSON.stringify(head)]);
    for (const table of archivedTables) {
      sums.set(table, await sumOf(transaction, selectOf(table), values));
      await writeRows(transaction, file, table, values);
    }
    return { ...known, name, sums, sum: await file.finish() };
  } catch (error) {
    await file.discard();
    throw error;
  }
}

const describe = `
  SELECT count(*) AS facts,
    (SELECT coalesce(max(part), 0) + 1 FROM archives WHERE day = (${from} AT TIME ZONE 'UTC')::date) AS part,
    greatest(max(counted_at),
      (SELECT max(corrected_at) FROM corrections WHERE ${rowsOfTime('corrections', from, past)}),
      (SELECT max(expired_at) FROM estimates WHERE ${rowsOfTime('estimates', from, past)})
    ) + interval '1 millisecond' AS "knownUntil"
  FROM usage_facts WHERE ${rowsOfTime('usage_facts', from, past)}`;

async function writeRows(
  transaction: Queryable,
  file: ArchiveFile,
  table: ArchivedTable,
  values: readonly string[],
): Promise<void> {
  const text = `DECLARE archived NO SCROLL CURSOR FOR
    SELECT to_json(one)::text AS row FROM (${selectOf(table)}) AS one`;
  await transaction.query({ text, values });
  for (;;) {
    const rows = await transaction.query<{ row: string }>({
      text: `FETCH ${pageRows} FROM archived`,
      values: [],
    });
    await file.write(rows.map(({ row }) => `{"table":"${table}","row":${row}}`));
    if (rows.length < pageRows) break;
  }
  await run(transaction, 'CLOSE archived');
}

/** Removes the rows of a day, and returns the digest of what was removed. */
async function remove(
  transaction: Queryable,
  table: ArchivedTable,
  { day, to }: { readonly day: string; readonly to: string },
): Promise<string> {
  const partition = table === 'usage_facts' && (await lockPartition(transaction, day, to));
  if (typeof partition === 'string') {
    const removed = await sumOf(transaction, `SELECT * FROM ${partition}`, []);
    await run(transaction, `DROP TABLE ${partition}`);
    return removed;
  }
  const deleted = `DELETE FROM ${table} WHERE ${rowsOfTime(table, from, past)} RETURNING *`;
  return await sumOf(transaction, deleted, [day, to]);
}

/** Returns the partition that has the day and nothing else, locked against writers; undefined: there is none. */
async function lockPartition(
  transaction: Queryable,
  day: string,
  to: string,
): Promise<string | undefined> {
  const [found] = await transaction.query<{ name: string }>({
    text: `SELECT format('%I', relname) AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
      WHERE inhparent = 'usage_facts'::regclass AND pg_get_expr(relpartbound, pg_class.oid)
        = format('FOR VALUES FROM (%L) TO (%L)', $1::timestamptz, $2::timestamptz)`,
    values: [day, to],
  });
  if (!found) return undefined;
  await run(transaction, `LOCK TABLE ${found.name} IN SHARE MODE`);
  return found.name;
}

function selectOf(table: ArchivedTable): string {
  return `SELECT * FROM ${table} WHERE ${rowsOfTime(table, from, past)}`;
}

/** Returns the number of rows and a digest of them, whatever their order. */
async function sumOf(
  transaction: Queryable,
  rows: string,
  values: readonly string[],
): Promise<string> {
  const [row] = await transaction.query<{ sum: string }>({
    text: `WITH one AS (${rows})
      SELECT count(*) || ' ' || coalesce(sum(hashtextextended(one::text, 0)), 0) AS sum FROM one`,
    values,
  });
  if (!row) throw new Error('sums have a row');
  return row.sum;
}

async function note(transaction: Queryable, written: WrittenDay, day: string): Promise<void> {
  const { part, name, facts, knownUntil, sum } = written;
  await transaction.query({
    text: `INSERT INTO archives (day, part, file, facts, bytes, sha256, known_until)
      VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    values: [day, part, name, facts, sum.bytes, sum.sha256, knownUntil],
  });
}

async function run(transaction: Queryable, text: string): Promise<void> {
  await transaction.query({ text, values: [] });
}

const dayMs = 86_400_000;

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10);
}
