import type { Position } from '@sluice/es';
import type { ProjectionId } from '../checkpoint.ts';
import type { Database } from '../database.ts';
import { withoutTable } from '../failure.ts';
import { projectorLock, rebuildLock } from '../session-lock.ts';

export interface StoredProjection extends ProjectionId {
  readonly position: Position;
  readonly updatedAt: Date;
  /** The number of rebuilds that have replaced the rows. */
  readonly rebuilds: number;
  /** True if a process keeps the projection now. */
  readonly active: boolean;
  /** True if a rebuild or a comparison of the projection runs now. */
  readonly rebuilding: boolean;
}

interface Row extends ProjectionId, Position {
  readonly updatedAt: Date;
  readonly rebuilds: number;
}

/** Every projection and reaction of a schema that has begun, by name; none without the schema. */
export async function storedProjections(database: Database): Promise<readonly StoredProjection[]> {
  const rows = await loadRows(database);
  const held = await heldLocks(
    database,
    rows.flatMap((row) => [projectorLock(database.schema, row), rebuildLock(database.schema, row)]),
  );
  return rows.map(({ commit, prepare, ...row }) => ({
    ...row,
    position: { commit, prepare },
    active: held.has(projectorLock(database.schema, row)),
    rebuilding: held.has(rebuildLock(database.schema, row)),
  }));
}

async function loadRows(database: Database): Promise<readonly Row[]> {
  const rows = database.query<Row>({
    text: `SELECT projection, version, commit_position AS commit, prepare_position AS prepare,
                  updated_at AS "updatedAt", rebuilds
           FROM checkpoints ORDER BY projection, version`,
    values: [],
  });
  return await withoutTable(rows, []);
}

/** PostgreSQL shows the key of an advisory lock in two halves. */
async function heldLocks(database: Database, names: readonly string[]) {
  const rows = await database.query<{ name: string }>({
    text: `SELECT DISTINCT name
           FROM unnest($1::text[]) name JOIN pg_locks
             ON (classid::bigint << 32 | objid::bigint) = hashtextextended(name, 0)
           WHERE locktype = 'advisory' AND objsubid = 1 AND granted
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    values: [names],
  });
  return new Set(rows.map(({ name }) => name));
}
