import {
  type Checkpoint,
  checkpointColumns,
  checkpointOf,
  type CheckpointRow,
  type ProjectionId,
} from '../checkpoint.ts';
import type { Queryable } from '../statement.ts';
import { RebuildRefused } from './refused.ts';

/** Reads the live checkpoint without a lock, or locks it until the commit. */
type Holding = 'read' | 'hold';

/**
 * The checkpoint of the live projection, seen from a connection of another schema. Throws
 * RebuildRefused when it has not begun: then there is nothing to rebuild.
 */
export async function liveCheckpoint(
  connection: Queryable,
  schema: string,
  { projection, version }: ProjectionId,
  holding: Holding = 'read',
): Promise<Checkpoint> {
  const [row] = await connection.query<CheckpointRow>({
    text: `SELECT ${checkpointColumns}
           FROM "${schema}".checkpoints WHERE projection = $1 AND version = $2
           ${holding === 'hold' ? 'FOR UPDATE' : ''}`,
    values: [projection, version],
  });
  if (row === undefined)
    throw new RebuildRefused(
      `${projection} version ${version} has not begun yet: there is nothing to rebuild.`,
    );
  return checkpointOf(row);
}

/** Throws RebuildRefused unless both schemas have been migrated by the same files. */
export async function requireSameMigrations(
  connection: Queryable,
  { schema, shadow }: { readonly schema: string; readonly shadow: string },
): Promise<void> {
  const [different] = await connection.query<{ name: string }>({
    text: `SELECT coalesce(live.name, rebuilt.name) AS name
           FROM "${schema}".migrations live FULL JOIN "${shadow}".migrations rebuilt USING (number)
           WHERE live.digest IS DISTINCT FROM rebuilt.digest ORDER BY number LIMIT 1`,
    values: [],
  });
  if (different)
    throw new RebuildRefused(
      `The services run another version than this program: migration ${different.name} of the ` +
        `schema ${schema} is not the same in both.`,
    );
}

/** Throws RebuildRefused when the service has never started here. */
export async function requireMigrated(connection: Queryable, schema: string): Promise<void> {
  const [row] = await connection.query<{ found: boolean }>({
    text: 'SELECT to_regclass($1) IS NOT NULL AS found',
    values: [`"${schema}".migrations`],
  });
  if (!row?.found)
    throw new RebuildRefused(
      `There is no schema ${schema} in this database: its service has not started here yet.`,
    );
}
