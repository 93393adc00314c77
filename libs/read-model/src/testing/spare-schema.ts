import type { Database } from '../database.ts';
import type { Queryable } from '../statement.ts';

/** A migrated schema, and what it is compared with before another test takes it. */
export interface Migrated {
  readonly schema: string;
  /** The tables that are empty after the migrations. */
  readonly emptyTables: readonly string[];
  readonly fingerprint: string;
}

/** The schemas that tests of this process are done with, by their migrations. */
const spares = new Map<string, Migrated[]>();

/**
 * Gives an emptied schema with these migrations another name. Returns undefined if there is none. To empty one takes a
 * tenth of the processor time of its migrations.
 */
export async function takeSpare(
  database: Database,
  migrations: string,
): Promise<Migrated | undefined> {
  const spare = spares.get(migrations)?.pop();
  if (!spare) return undefined;
  const { schema } = database;
  await database.transaction(async (transaction) => {
    await rename(transaction, spare.schema, schema);
  });
  return { ...spare, schema };
}

/** Renames a schema, and those beside it whose names begin with its name: migrations put views there. */
async function rename(transaction: Queryable, from: string, to: string): Promise<void> {
  const beside = await transaction.query<{ name: string }>({
    text: `SELECT nspname::text AS name FROM pg_namespace WHERE starts_with(nspname, $1)`,
    values: [`${from}_`],
  });
  for (const name of [from, ...beside.map((row) => row.name)]) {
    const text = `ALTER SCHEMA "${name}" RENAME TO "${to}${name.slice(from.length)}"`;
    await transaction.query({ text, values: [] });
  }
}

/** Describes the schema right after its migrations. */
export async function describeMigrated(database: Database): Promise<Migrated> {
  const tables = await database.query<{ name: string }>({
    text: `SELECT relname AS name FROM pg_class
           WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'`,
    values: [],
  });
  const emptyTables: string[] = [];
  for (const { name } of tables) {
    const rows = await database.query({ text: `SELECT FROM "${name}" LIMIT 1`, values: [] });
    if (rows.length === 0) emptyTables.push(name);
  }
  return {
    schema: database.schema,
    emptyTables,
    fingerprint: await fingerprintOf(database, emptyTables),
  };
}

/**
 * Empties the schema for the next test. Returns false, and changes nothing, if the test has changed more than the rows
 * of tables that were empty. Statements that come later fail as in a dropped schema, because its name is gone.
 */
export async function keepSpare(
  database: Database,
  migrations: string,
  { schema, emptyTables, fingerprint }: Migrated,
): Promise<boolean> {
  const spare = `spare_${schema}`;
  const isKept = await database.transaction(async (transaction) => {
    if ((await fingerprintOf(transaction, emptyTables)) !== fingerprint) return false;
    const names = emptyTables.map((name) => `"${name}"`);
    const text = `
      LOCK TABLE ${names.join(', ')} IN ACCESS EXCLUSIVE MODE;
      ${names.map((name) => `DELETE FROM ${name};`).join('\n')}
      SELECT setval(seqrelid, seqstart, false) FROM pg_sequence
        JOIN pg_class ON pg_class.oid = seqrelid AND relnamespace = current_schema()::regnamespace;`;
    await transaction.query({ text, values: [] });
    await rename(transaction, schema, spare);
    return true;
  });
  if (isKept) {
    const others = spares.get(migrations) ?? [];
    spares.set(migrations, [...others, { schema: spare, emptyTables, fingerprint }]);
  }
  return isKept;
}

/**
 * Returns a digest that changes with each table, column, index, policy and grant, with the views beside the schema, and
 * with rows of full tables.
 */
async function fingerprintOf(database: Queryable, emptyTables: readonly string[]): Promise<string> {
  const [row] = await database.query<{ digest: string; full: readonly string[] }>({
    text: `WITH own AS (
             SELECT oid, xmin, relname, relkind FROM pg_class
             WHERE relnamespace = current_schema()::regnamespace
           ), part AS (
             SELECT oid, xmin FROM own
             UNION ALL SELECT class.oid, class.xmin FROM pg_class AS class
               JOIN pg_namespace AS beside ON beside.oid = relnamespace
               WHERE starts_with(nspname, current_schema() || '_')
             UNION ALL SELECT attrelid, attribute.xmin FROM pg_attribute AS attribute JOIN own ON own.oid = attrelid
             UNION ALL SELECT polrelid, policy.xmin FROM pg_policy AS policy JOIN own ON own.oid = polrelid
             UNION ALL SELECT oid, xmin FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
             UNION ALL SELECT oid, xmin FROM pg_type WHERE typnamespace = current_schema()::regnamespace
           )
           SELECT md5(string_agg(oid || ':' || xmin, ',' ORDER BY oid::text, xmin::text)) AS digest,
             ARRAY(SELECT relname::text FROM own
                   WHERE relkind = 'r' AND relname <> ALL ($1) ORDER BY relname) AS full
           FROM part`,
    values: [[...emptyTables]],
  });
  const digests = [row?.digest];
  for (const name of row?.full ?? []) {
    const text = `SELECT md5(string_agg(t::text, ',' ORDER BY t::text)) AS digest FROM "${name}" AS t`;
    const [rows] = await database.query<{ digest: string | null }>({ text, values: [] });
    digests.push(rows?.digest ?? '');
  }
  return digests.join();
}
