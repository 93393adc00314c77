import { Fault } from '@sluice/errors';
import type { Position } from '@sluice/es';
import type { Queryable } from './statement.ts';

/**
 * What a checkpoint belongs to. A new version begins at the start, beside the old one, in tables of
 * its own. A rebuild keeps the version: it replaces the rows by what the same events give today.
 */
export interface ProjectionId {
  readonly projection: string;
  readonly version: number;
}

export interface Checkpoint {
  readonly position: Position;
  /** How often a rebuild has replaced the rows. */
  readonly rebuilds: number;
}

/** Somebody else has written this read model: what it holds is no longer what we thought. */
export class CheckpointMoved extends Fault {
  constructor() {
    super('revision_conflict', { message: 'The checkpoint was moved by somebody else' });
  }
}

interface CheckpointRow extends Position {
  readonly rebuilds: number;
}

/** How far the projection has come; undefined when it has not begun. */
export async function loadCheckpoint(
  connection: Queryable,
  { projection, version }: ProjectionId,
): Promise<Checkpoint | undefined> {
  const [row] = await connection.query<CheckpointRow>({
    name: 'load-checkpoint',
    text: `SELECT commit_position AS commit, prepare_position AS prepare, rebuilds
           FROM checkpoints WHERE projection = $1 AND version = $2`,
    values: [projection, version],
  });
  return row && checkpointOf(row);
}

export function checkpointOf({ commit, prepare, rebuilds }: CheckpointRow): Checkpoint {
  return { position: { commit, prepare }, rebuilds };
}

/**
 * Compare and set, in the transaction of the rows and before them: whoever writes a read model holds
 * its checkpoint's row first, so two that believe themselves alone cannot both write, and a switch
 * keeps all of them out. Returns how often it was rebuilt. Throws CheckpointMoved.
 */
export async function moveCheckpoint(
  transaction: Queryable,
  id: ProjectionId,
  from: Position | undefined,
  to: Position,
): Promise<number> {
  const [moved] = await transaction.query<{ rebuilds: number }>(
    from === undefined ? beginning(id, to) : continuing(id, from, to),
  );
  if (moved === undefined) throw new CheckpointMoved();
  return moved.rebuilds;
}

function beginning({ projection, version }: ProjectionId, to: Position) {
  return {
    name: 'begin-checkpoint',
    text: `INSERT INTO checkpoints (projection, version, commit_position, prepare_position)
           VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING rebuilds`,
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
           RETURNING rebuilds`,
    values: [projection, version, from.commit, from.prepare, to.commit, to.prepare],
  };
}
