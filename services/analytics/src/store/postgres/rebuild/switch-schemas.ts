import type { Queryable } from '@sluice/read-model';

export interface Schemas {
  readonly live: string;
  readonly beside: string;
  /** Holds the tables that were live before the switch, until they are dropped. */
  readonly replaced: string;
}

/** The schema of the views for analysts, by the schema of the tables. */
const viewsOf = (schema: string) => `${schema}_v1`;

export function schemasOf(live: string): Schemas {
  return { live, beside: `${live}_rebuild`, replaced: `${live}_replaced` };
}

export async function exists(connection: Queryable, schema: string): Promise<boolean> {
  const rows = await connection.query({
    text: 'SELECT FROM pg_namespace WHERE nspname = $1',
    values: [schema],
  });
  return rows.length > 0;
}

/** Drops a schema with its tables, and the views on them. */
export async function dropSchema(connection: Queryable, schema: string): Promise<void> {
  for (const each of [viewsOf(schema), schema])
    await connection.query({ text: `DROP SCHEMA IF EXISTS "${each}" CASCADE`, values: [] });
}

/** Views of a schema that read tables of another one. */
const viewsOnTables = `SELECT DISTINCT view.oid, view.relname::text AS name
  FROM pg_class AS view JOIN pg_rewrite ON ev_class = view.oid
    JOIN pg_depend ON classid = 'pg_rewrite'::regclass AND objid = pg_rewrite.oid
      AND refclassid = 'pg_class'::regclass
    JOIN pg_class AS read ON read.oid = refobjid
  WHERE view.relkind = 'v' AND view.relnamespace = to_regnamespace($1)
    AND read.relnamespace = to_regnamespace($2)`;

/**
 * Gives the tables beside the name of the live ones. The views stay, with the rights on them and the views of
 * operators, and read the other tables. The transaction of the caller holds the locks of all writers.
 */
export async function switchSchemas(
  transaction: Queryable,
  { live, beside, replaced }: Schemas,
): Promise<void> {
  const run = async (text: string) => await transaction.query({ text, values: [] });
  await run(`ALTER SCHEMA "${live}" RENAME TO "${replaced}"`);
  await run(`ALTER SCHEMA "${beside}" RENAME TO "${live}"`);
  await run(`SET LOCAL search_path = "${live}"`);
  const views = await transaction.query<{ name: string; definition: string }>({
    text: `SELECT name, pg_get_viewdef(oid) AS definition FROM (${viewsOnTables}) AS views`,
    values: [viewsOf(beside), live],
  });
  for (const { name, definition } of views)
    await run(`CREATE OR REPLACE VIEW "${viewsOf(live)}"."${name}" AS ${definition}`);
  const left = await transaction.query<{ name: string }>({
    text: viewsOnTables,
    values: [viewsOf(live), replaced],
  });
  if (left.length > 0) throw new Error(`the view ${left[0]?.name} would be lost`);
  await run(`DROP SCHEMA "${viewsOf(beside)}" CASCADE`);
}
