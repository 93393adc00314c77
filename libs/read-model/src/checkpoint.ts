import { Fault } from '@sluice/errors';
import type { EventMark, Position } from '@sluice/es';
import { storedMark } from './same-log/stored-mark.ts';
import type { Queryable } from './statement.ts';

/**
 * The owner of a checkpoint. A new version begins at the start, beside the old one, in tables of its own. A rebuild
 * keeps the version: it replaces the rows by those that the same events give today.
 */
export interface ProjectionId {
  readonly projection: string;
  readonly version: number;
}

export interface Checkpoint {
  /** Also moves over events of others. */
  readonly position: Position;
  /** Position of the last event that was applied; undefined when it is not known. */
  readonly lastEvent: Position | undefined;
  /** The number of rebuilds that have replaced the rows. */
  readonly rebuilds: number;
}

/** Another process has written this read model: its rows are not the ones that this process expected. */
export class CheckpointMoved extends Fault {
  constructor() {
    super('revision_conflict', { message: 'The checkpoint was moved by somebody else' });
  }
}

export interface CheckpointRow extends Position {
  readonly rebuilds: number;
  readonly lastCommit: bigint | null;
  readonly lastPrepare: bigint | null;
}

export const checkpointColumns = `commit_position AS commit, prepare_position AS prepare, rebuilds,
  (last_event->>'commit')::bigint AS "lastCommit",
  (last_event->>'prepare')::bigint AS "lastPrepare"`;

/** Returns how far the projection has come, or undefined if it has not begun. */
export async function loadCheckpoint(
  connection: Queryable,
  { projection, version }: ProjectionId,
): Promise<Checkpoint | undefined> {
  const [row] = await connection.query<CheckpointRow>({
    name: 'load-checkpoint',
    text: `SELECT ${checkpointColumns} FROM checkpoints WHERE projection = $1 AND version = $2`,
    values: [projection, version],
  });
  return row && checkpointOf(row);
}

export function checkpointOf(row: CheckpointRow): Checkpoint {
  const { commit, prepare, rebuilds, lastCommit, lastPrepare } = row;
  const isKnown = lastCommit !== null && lastPrepare !== null;
  const lastEvent = isKnown ? { commit: lastCommit, prepare: lastPrepare } : undefined;
  return { position: { commit, prepare }, lastEvent, rebuilds };
}

/**
 * Compares and sets the checkpoint, in the transaction of the rows and before them. Each writer of a read model
 * locks the checkpoint's row first, so two active writers cannot both write, and a switch locks out all of them.
 * The row keeps the id of the last applied event, which identifies the log.
 * Returns how often it was rebuilt. Throws CheckpointMoved.
 */
export async function moveCheckpoint(
  transaction: Queryable,
  id: ProjectionId,
  from: Position | undefined,
  to: Position,
  lastEvent?: EventMark,
): Promise<number> {
  const event = lastEvent ? storedMark(lastEvent) : null;
  const [moved] = await transaction.query<{ rebuilds: number }>(
    from === undefined ? beginning(id, to, event) : continuing(id, from, { to, event }),
  );
  if (moved === undefined) throw new CheckpointMoved();
  return moved.rebuilds;
}

function beginning({ projection, version }: ProjectionId, to: Position, event: string | null) {
  return {
    name: 'begin-checkpoint',
    text: `INSERT INTO checkpoints (projection, version, commit_position, prepare_position, last_event)
           VALUES ($1, $2, $3, $4, $5::jsonb) ON CONFLICT DO NOTHING RETURNING rebuilds`,
    values: [projection, version, to.commit, to.prepare, event],
  };
}

function continuing(
  { projection, version }: ProjectionId,
  from: Position,
  { to, event }: { readonly to: Position; readonly event: string | null },
) {
  return {
    name: 'move-checkpoint',
    text: `UPDATE checkpoints
           SET commit_position = $5, prepare_position = $6, updated_at = now(),
               last_event = coalesce($7::jsonb, last_event)
           WHERE projection = $1 AND version = $2
             AND commit_position = $3 AND prepare_position = $4
           RETURNING rebuilds`,
    values: [projection, version, from.commit, from.prepare, to.commit, to.prepare, event],
  };
}
