import { Fault } from '@sluice/errors';
import type { EventMark, Position } from '@sluice/es';
import type { ProjectionId } from '../checkpoint.ts';
import type { Queryable } from '../statement.ts';

/** A stream that a projection sets aside, because it cannot apply one of its events. */
export interface Standstill extends ProjectionId {
  /** The broken event. It may lie behind the event at which the projection met it. */
  readonly eventId: string;
  readonly type: string;
  readonly stream: string;
  readonly since: Date;
}

/** A stream whose events a projection does not apply from a position on. */
export interface StreamSetAside {
  readonly stream: string;
  readonly eventId: string;
  /** The position of the first event that is withheld. */
  readonly from: Position;
}

/** Makes the tables of streams that are set aside and of skipped events, where they are missing. */
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
      PRIMARY KEY (projection, version, stream)
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
  // Earlier versions kept one row a projection.
  const narrow = await transaction.query({
    text: `SELECT FROM pg_constraint WHERE conrelid = 'standstills'::regclass AND contype = 'p'
             AND array_length(conkey, 1) = 2`,
    values: [],
  });
  if (narrow.length === 0) return;
  await transaction.query({
    text: `ALTER TABLE standstills DROP CONSTRAINT standstills_pkey,
             ADD PRIMARY KEY (projection, version, stream)`,
    values: [],
  });
}

/** Keeps the time of the first stop, however often the services start again before it is over. */
export async function noteStandstill(
  connection: Queryable,
  { projection, version }: ProjectionId,
  { stream, from, broken }: { stream: string; from: Position; broken: EventMark },
): Promise<void> {
  await connection.query({
    text: `INSERT INTO standstills
             (projection, version, event_id, stream, type, commit_position, prepare_position)
           VALUES ($1, $2, $3, $4, $5, $6, $7)
           ON CONFLICT (projection, version, stream) DO UPDATE
             SET event_id = excluded.event_id, type = excluded.type,
                 commit_position = excluded.commit_position,
                 prepare_position = excluded.prepare_position, since = excluded.since
             WHERE standstills.event_id <> excluded.event_id`,
    values: [projection, version, broken.id, stream, broken.type, from.commit, from.prepare],
  });
}

/** Returns the streams that the projection sets aside. The schema is named, as the connection may have another. */
export async function loadStandstills(
  connection: Queryable,
  schema: string,
  { projection, version }: ProjectionId,
): Promise<readonly StreamSetAside[]> {
  const rows = await connection.query<Omit<StreamSetAside, 'from'> & Position>({
    text: `SELECT stream, event_id AS "eventId", commit_position AS commit,
                  prepare_position AS prepare
           FROM "${schema}".standstills WHERE projection = $1 AND version = $2
           ORDER BY commit_position, prepare_position`,
    values: [projection, version],
  });
  return rows.map(({ stream, eventId, commit, prepare }) => ({
    stream,
    eventId,
    from: { commit, prepare },
  }));
}

/** Applies the events of the stream again from now on. */
export async function endStandstill(
  connection: Queryable,
  { projection, version }: ProjectionId,
  stream: string,
): Promise<void> {
  await connection.query({
    text: 'DELETE FROM standstills WHERE projection = $1 AND version = $2 AND stream = $3',
    values: [projection, version, stream],
  });
}

/** Withholds the events of the stream from a later position on. */
export async function moveStandstill(
  connection: Queryable,
  { projection, version }: ProjectionId,
  stream: string,
  { commit, prepare }: Position,
): Promise<void> {
  await connection.query({
    text: `UPDATE standstills SET commit_position = $4, prepare_position = $5
           WHERE projection = $1 AND version = $2 AND stream = $3`,
    values: [projection, version, stream, commit, prepare],
  });
}

/**
 * Throws the fault `stream_unreadable` if a part of the service sets one of these streams aside. Its rows are those
 * from before the broken event, so an answer from them may allow what a later event forbids.
 */
export async function requireReadable(
  connection: Queryable,
  streams: readonly string[],
): Promise<void> {
  const [broken] = await connection.query<{ eventId: string; type: string }>({
    name: 'find-standstill-of-streams',
    text: `SELECT event_id AS "eventId", type FROM standstills
           WHERE stream = ANY ($1::text[]) LIMIT 1`,
    values: [streams],
  });
  if (!broken) return;
  const metadata = { event_id: broken.eventId, event_type: broken.type };
  throw new Fault('stream_unreadable', { metadata });
}
