import type { EventMark } from '@sluice/es';
import type { Database } from '../database.ts';
import { lockUntilCommit, migrationLock } from '../session-lock.ts';
import type { Queryable } from '../statement.ts';
import { markOf, type StoredMark, storedMark } from './stored-mark.ts';

/**
 * The schema that all services of an installation share. It belongs to this library. Each projection has one row
 * there: the newest event that it has applied. So each service looks for the newest event of all of them.
 */
export const installationSchema = 'installation';

/** The row of the event that names the installation. */
const nameReader = 'installation';

const isNewer = `((excluded.event->>'commit')::bigint, (excluded.event->>'prepare')::bigint) >
  ((known.event->>'commit')::bigint, (known.event->>'prepare')::bigint)`;

/** Makes the schema and its table, and notes what the schema of the transaction knows from before there was one. */
export async function ensureKnownEvents(
  transaction: Queryable,
  installation: string,
): Promise<void> {
  // Services that start together make it together, and CREATE SCHEMA IF NOT EXISTS fails then.
  await lockUntilCommit(transaction, migrationLock(installation));
  const text = `
    CREATE SCHEMA IF NOT EXISTS "${installation}";
    CREATE TABLE IF NOT EXISTS "${installation}".known_events (
      reader text PRIMARY KEY,
      event jsonb NOT NULL
    );
    INSERT INTO "${installation}".known_events AS known (reader, event)
      SELECT DISTINCT ON (projection) projection, last_event FROM checkpoints
        WHERE last_event IS NOT NULL
        ORDER BY projection, (last_event->>'commit')::bigint DESC
      ON CONFLICT (reader) DO UPDATE SET event = excluded.event WHERE ${isNewer};
    INSERT INTO "${installation}".known_events (reader, event)
      SELECT '${nameReader}', installation FROM known_log WHERE installation IS NOT NULL
      ON CONFLICT DO NOTHING;`;
  await transaction.query({ text, values: [] });
}

/** Notes the newest event that a projection has applied, in the transaction of its rows. */
export async function noteKnownEvent(
  transaction: Queryable,
  installation: string,
  { projection }: { readonly projection: string },
  event: EventMark,
): Promise<void> {
  await transaction.query({
    name: 'note-known-event',
    text: `INSERT INTO "${installation}".known_events AS known (reader, event)
           VALUES ($1, $2::jsonb)
           ON CONFLICT (reader) DO UPDATE SET event = excluded.event WHERE ${isNewer}`,
    values: [projection, storedMark(event)],
  });
}

/** Notes the event that names the installation. */
export async function noteInstallation(
  database: Pick<Database, 'installation' | 'query'>,
  event: EventMark,
): Promise<void> {
  await noteKnownEvent(database, database.installation, { projection: nameReader }, event);
}

/** A SELECT of all noted events, as `mark`. */
export function knownEventsOf(installation: string): string {
  return `SELECT event AS mark FROM "${installation}".known_events`;
}

/** A SELECT of the event that names the installation, as `mark`. */
export function namingEventOf(installation: string): string {
  return `${knownEventsOf(installation)} WHERE reader = '${nameReader}'`;
}

/**
 * Forgets the events behind `common`: the store that was accepted lacks them. Until then each service stands still,
 * so this comes last.
 */
export async function forgetKnownEvents(
  database: Pick<Database, 'installation' | 'query'>,
  common: EventMark | undefined,
): Promise<void> {
  const { commit, prepare } = common?.position ?? { commit: -1n, prepare: -1n };
  await database.query({
    text: `DELETE FROM "${database.installation}".known_events
           WHERE ((event->>'commit')::bigint, (event->>'prepare')::bigint) > ($1, $2)`,
    values: [commit, prepare],
  });
}

/** False before a service of a version that shares them has started. */
export async function hasKnownEvents(
  connection: Queryable,
  installation: string,
): Promise<boolean> {
  const [row] = await connection.query<{ isThere: boolean }>({
    text: 'SELECT to_regclass($1) IS NOT NULL AS "isThere"',
    values: [`"${installation}".known_events`],
  });
  return row?.isThere ?? false;
}

/** The events that all services know. */
export async function loadKnownEvents(
  database: Pick<Database, 'installation' | 'query'>,
): Promise<readonly EventMark[]> {
  const { installation } = database;
  if (!(await hasKnownEvents(database, installation))) return [];
  const rows = await database.query<{ mark: StoredMark }>({
    text: knownEventsOf(installation),
    values: [],
  });
  return rows.map(({ mark }) => markOf(mark));
}
