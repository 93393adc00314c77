import { Fault } from '@sluice/errors';
import type { Position } from '@sluice/es';
import type { Queryable } from './statement.ts';

/** A read model is `(projection, version)`: a rebuild counts the version up and runs beside the old one. */
export interface ProjectionId {
  readonly projection: string;
  readonly version: number;
}

/** How far the projection has come; undefined when it has not begun. */
export async function loadCheckpoint(
  connection: Queryable,
  { projection, version }: ProjectionId,
): Promise<Position | undefined> {
  const [row] = await connection.query<Position>({
    name: 'load-checkpoint',
    text: `SELECT commit_position AS commit, prepare_position AS prepare
           FROM checkpoints WHERE projection = $1 AND version = $2`,
    values: [projection, version],
  });
  return row;
}

/**
 * Compare and set, in the transaction of the rows: two projectors that believe themselves alone
 * cannot both write. Throws Fault revision_conflict when somebody else has moved it.
 */
export async function moveCheckpoint(
  transaction: Queryable,
  id: ProjectionId,
  from: Position | undefined,
  to: Position,
): Promise<void> {
  const moved = await transaction.query(
    from === undefined ? beginning(id, to) : continuing(id, from, to),
  );
  if (moved.length === 0) throw new Fault('revision_conflict');
}

function beginning({ projection, version }: ProjectionId, to: Position) {
  return {
    name: 'begin-checkpoint',
    text: `INSERT INTO checkpoints (projection, version, commit_position, prepare_position)
           VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING version`,
    values: [projection, version, to.commit, to.prepare],
  };
}

function continuing({ projection, version }: ProjectionId, from: Position, to: Position) {
  return {
    name: 'move-checkpoint',
    text: `UPDATE checkpoints
           SET commit_position = $5, prepare_position = $6, updated_at = now()
           WHERE projection = $1 AND version = $2
             AND commit_position = $3 AND prepare_position = $4
           RETURNING version`,
    values: [projection, version, from.commit, from.prepare, to.commit, to.prepare],
  };
}
