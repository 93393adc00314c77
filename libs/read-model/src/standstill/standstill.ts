import type { Position, RecordedEvent } from '@sluice/es';
import type { ProjectionId } from '../checkpoint.ts';
import type { Queryable } from '../statement.ts';

/** An event that a projection cannot apply and stands still at. */
export interface Standstill extends ProjectionId {
  readonly eventId: string;
  readonly stream: string;
  readonly type: string;
  readonly since: Date;
}

/** Makes the tables of standstills and of skipped events, where they are missing. */
export async function ensureStandstills(transaction: Queryable): Promise<void> {
  const text = `
    CREATE TABLE IF NOT EXISTS standstills (
      projection text NOT NULL,
      version integer NOT NULL,
      event_id text NOT NULL,
      stream text NOT NULL,
      type text NOT NULL,
      commit_position bigint NOT NULL,
      prepare_position bigint NOT NULL,
      since timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (projection, version)
    );
    CREATE TABLE IF NOT EXISTS skipped_events (
      projection text NOT NULL,
      event_id text NOT NULL,
      stream text NOT NULL,
      type text NOT NULL,
      skipped_by text NOT NULL,
      reason text NOT NULL,
      skipped_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (projection, event_id)
    );`;
  await transaction.query({ text, values: [] });
}

/** Keeps the time of the first stop, however often the services start again before it is over. */
export async function noteStandstill(
  connection: Queryable,
  { projection, version }: ProjectionId,
  { id, stream, type, position }: RecordedEvent,
): Promise<void> {
  await connection.query({
    text: `INSERT INTO standstills
             (projection, version, event_id, stream, type, commit_position, prepare_position)
           VALUES ($1, $2, $3, $4, $5, $6, $7)
           ON CONFLICT (projection, version) DO UPDATE
             SET event_id = excluded.event_id, stream = excluded.stream, type = excluded.type,
                 commit_position = excluded.commit_position,
                 prepare_position = excluded.prepare_position, since = excluded.since
             WHERE standstills.event_id <> excluded.event_id`,
    values: [projection, version, id, stream, type, position.commit, position.prepare],
  });
}

/** Forgets a standstill that the projection has left behind it. */
export async function endStandstill(
  connection: Queryable,
  { projection, version }: ProjectionId,
  reached: Position,
): Promise<void> {
  await connection.query({
    text: `DELETE FROM standstills WHERE projection = $1 AND version = $2
             AND (commit_position, prepare_position) <= ($3, $4)`,
    values: [projection, version, reached.commit, reached.prepare],
  });
}

/** False when another process has left the event behind it. */
export async function standsAt(
  connection: Queryable,
  { projection, version }: ProjectionId,
  { id }: RecordedEvent,
): Promise<boolean> {
  const found = await connection.query({
    text: 'SELECT FROM standstills WHERE projection = $1 AND version = $2 AND event_id = $3',
    values: [projection, version, id],
  });
  return found.length > 0;
}
