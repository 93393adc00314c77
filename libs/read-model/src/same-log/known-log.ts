import type { EventMark, RecordedEvent } from '@sluice/es';
import type { Database } from '../database.ts';
import type { Queryable } from '../statement.ts';
import { knownEventsOf, namingEventOf, noteInstallation } from './known-events.ts';
import { markOf, type StoredMark, storedMark } from './stored-mark.ts';

/** An event that the read models know to be in the log. */
export interface Mark extends EventMark {
  /** False for an event that was only seen at the end of the log: the store may scavenge it. */
  readonly isApplied: boolean;
  readonly occurredAt: string | undefined;
  /** `user alice`, say. */
  readonly actor: string | undefined;
}

/** The log as the read models of a schema know it, and by its newest event those of all other services. */
export interface KnownLog {
  /** The event that names the installation; undefined before the first start and after an upgrade. */
  readonly installation: EventMark | undefined;
  readonly newestApplied: EventMark | undefined;
  /** The newest mark of all, when it is newer than `newestApplied`. */
  readonly newestSeen: EventMark | undefined;
  /** The number of times that an operator accepted another history of the log. */
  readonly histories: number;
}

/** Number of newest marks that are kept. Of older ones, every second, fourth, eighth and so on stays. */
const newestMarksKept = 1_024;

/** Makes the tables of what is known of the log, and the column of checkpoints, where they are missing. */
export async function ensureKnownLog(transaction: Queryable): Promise<void> {
  const text = `
    CREATE TABLE IF NOT EXISTS known_log (
      only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
      installation jsonb,
      histories integer NOT NULL DEFAULT 0
    );
    INSERT INTO known_log DEFAULT VALUES ON CONFLICT DO NOTHING;
    CREATE TABLE IF NOT EXISTS log_marks (
      commit_position bigint NOT NULL,
      prepare_position bigint NOT NULL,
      event_id text NOT NULL,
      stream text NOT NULL,
      type text NOT NULL,
      is_applied boolean NOT NULL,
      occurred_at text,
      actor text,
      number bigint GENERATED ALWAYS AS IDENTITY,
      PRIMARY KEY (commit_position, prepare_position)
    );`;
  await transaction.query({ text, values: [] });
  if (await addColumn(transaction, 'known_log', 'namespace', 'text')) {
    // Events that were projected before it was remembered had no namespace.
    const before = `UPDATE known_log SET namespace = '' WHERE EXISTS (SELECT FROM checkpoints)`;
    await transaction.query({ text: before, values: [] });
  }
  // Notes of commands from before the last acceptance are of a history that is gone.
  await addColumn(transaction, 'known_log', 'accepted_at', 'timestamptz');
  await addColumn(transaction, 'checkpoints', 'last_event', 'jsonb');
}

/** Returns false if the column is there. ALTER TABLE … IF NOT EXISTS would wait for every reader of the table. */
async function addColumn(
  transaction: Queryable,
  table: string,
  column: string,
  type: string,
): Promise<boolean> {
  const found = await transaction.query({
    text: `SELECT FROM information_schema.columns WHERE table_schema = current_schema()
             AND table_name = $1 AND column_name = $2`,
    values: [table, column],
  });
  if (found.length > 0) return false;
  const text = `ALTER TABLE ${table} ADD COLUMN ${column} ${type}`;
  await transaction.query({ text, values: [] });
  return true;
}

/** The namespace that the read models were made in: the given one, where none is known. */
export async function claimNamespace(connection: Queryable, namespace: string): Promise<string> {
  const text = `UPDATE known_log SET namespace = coalesce(namespace, $1) RETURNING namespace`;
  const [row] = await connection.query<{ namespace: string }>({ text, values: [namespace] });
  return row?.namespace ?? namespace;
}

/** Returns the namespace that the read models were made in; undefined before they were. Changes nothing. */
export async function knownNamespace(connection: Queryable): Promise<string | undefined> {
  const text = 'SELECT namespace FROM known_log';
  const [row] = await connection.query<{ namespace: string | null }>({ text, values: [] });
  return row?.namespace ?? undefined;
}

/** Returns the number of times that an operator accepted another history of the log for these read models. */
export async function countHistories(connection: Queryable): Promise<number> {
  const text = 'SELECT histories FROM known_log';
  const [row] = await connection.query<{ histories: number }>({ text, values: [] });
  return row?.histories ?? 0;
}

/** Loads the known events. Without `installation`, it leaves out the events that other services know. */
export async function loadKnownLog(
  connection: Queryable,
  installation: string | undefined,
): Promise<KnownLog> {
  const shared = installation === undefined ? undefined : knownEventsOf(installation);
  const marks = marksOf('') + (shared ? ` UNION ALL SELECT mark, true FROM (${shared}) known` : '');
  const name = installation === undefined ? 'NULL' : `(${namingEventOf(installation)})`;
  const [row] = await connection.query<{
    installation: StoredMark | null;
    histories: number;
    applied: StoredMark | null;
    seen: StoredMark | null;
  }>({
    text: `SELECT coalesce(installation, ${name}) AS installation, histories,
             (SELECT mark FROM (${marks}) marks WHERE is_applied ${newestFirst} LIMIT 1) AS applied,
             (SELECT mark FROM (${marks}) marks ${newestFirst} LIMIT 1) AS seen
           FROM known_log`,
    values: [],
  });
  const { installation: named, applied, seen, histories = 0 } = row ?? {};
  const newestApplied = applied ? markOf(applied) : undefined;
  const newest = seen ? markOf(seen) : undefined;
  return {
    installation: named ? markOf(named) : undefined,
    newestApplied,
    newestSeen: newest?.id === newestApplied?.id ? undefined : newest,
    histories,
  };
}

/** Every mark, newest first. */
export async function loadMarks(connection: Queryable, schema: string): Promise<readonly Mark[]> {
  const rows = await connection.query<{ mark: StoredMark; isApplied: boolean }>({
    text: `SELECT mark, is_applied AS "isApplied"
           FROM (${marksOf(`"${schema}".`)}) marks ${newestFirst}`,
    values: [],
  });
  return rows.map(({ mark, isApplied }) => {
    const { occurredAt, actor } = mark;
    const event = markOf(mark);
    return { ...event, isApplied, occurredAt: occurredAt ?? undefined, actor: actor ?? undefined };
  });
}

function marksOf(schema: string): string {
  return `
    SELECT last_event AS mark, true AS is_applied FROM ${schema}checkpoints
      WHERE last_event IS NOT NULL
    UNION ALL
    SELECT installation, true FROM ${schema}known_log WHERE installation IS NOT NULL
    UNION ALL
    SELECT jsonb_build_object('commit', commit_position::text, 'prepare', prepare_position::text,
             'id', event_id, 'stream', stream, 'type', type, 'occurredAt', occurred_at,
             'actor', actor), is_applied
    FROM ${schema}log_marks`;
}

const newestFirst = `ORDER BY (mark->>'commit')::bigint DESC, (mark->>'prepare')::bigint DESC,
  is_applied DESC`;

export async function rememberInstallation(
  database: Database,
  installation: EventMark,
): Promise<void> {
  const text = 'UPDATE known_log SET installation = $1::jsonb';
  await database.query({ text, values: [storedMark(installation)] });
  await noteInstallation(database, installation);
}

/** Adds marks and thins out the old ones. */
export async function insertMarks(database: Database, marks: readonly Mark[]): Promise<void> {
  if (marks.length === 0) return;
  await database.query({
    text: `INSERT INTO log_marks
             (commit_position, prepare_position, event_id, stream, type, is_applied, occurred_at, actor)
           SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[],
             $6::boolean[], $7::text[], $8::text[])
           ON CONFLICT (commit_position, prepare_position)
             DO UPDATE SET is_applied = true, occurred_at = excluded.occurred_at,
               actor = excluded.actor
             WHERE excluded.is_applied AND NOT log_marks.is_applied`,
    values: [
      marks.map(({ position }) => position.commit),
      marks.map(({ position }) => position.prepare),
      marks.map(({ id }) => id),
      marks.map(({ stream }) => stream),
      marks.map(({ type }) => type),
      marks.map(({ isApplied }) => isApplied),
      marks.map(({ occurredAt }) => occurredAt ?? null),
      marks.map(({ actor }) => actor ?? null),
    ],
  });
  await database.query({
    text: `DELETE FROM log_marks USING (SELECT max(number) AS newest FROM log_marks) last
           WHERE last.newest - number > $1 AND number %
             (2 ^ (1 + floor(log(2, (last.newest - number) / $1::numeric))))::bigint <> 0`,
    values: [newestMarksKept],
  });
}

/** Drops marks that were only seen: the log that is there has them no longer. */
export async function forgetSeenMarks(database: Database, { position }: EventMark): Promise<void> {
  await database.query({
    text: `DELETE FROM log_marks
           WHERE NOT is_applied AND (commit_position, prepare_position) > ($1, $2)`,
    values: [position.commit, position.prepare],
  });
}

/** The mark of an event that a read model has applied. Its metadata is not trusted. */
export function appliedMark({ position, id, stream, type, metadata }: RecordedEvent): Mark {
  const { occurredAt, actor } = (metadata ?? {}) as { occurredAt?: unknown; actor?: unknown };
  const { type: kind, id: name } = (actor ?? {}) as { type?: unknown; id?: unknown };
  return {
    position,
    id,
    stream,
    type,
    isApplied: true,
    occurredAt: typeof occurredAt === 'string' ? occurredAt : undefined,
    actor: typeof kind === 'string' && typeof name === 'string' ? `${kind} ${name}` : undefined,
  };
}
