import type { EventMark } from '@sluice/es';
import type { Database } from '../database.ts';
import { StatementFailed } from '../failure.ts';
import { RebuildRefused } from '../rebuild/refused.ts';
import type { Queryable } from '../statement.ts';
import type { Standstill } from './standstill.ts';

/** An event that an operator lets a projection skip. */
export interface SkippedEvent extends Pick<EventMark, 'stream' | 'type'> {
  readonly projection: string;
  readonly eventId: string;
  readonly skippedBy: string;
  readonly skippedAt: Date;
  readonly reason: string;
}

export interface Standing {
  readonly standstills: readonly Standstill[];
  /** Oldest first. */
  readonly skipped: readonly SkippedEvent[];
}

const undefinedTable = '42P01';

/** The ids of the events that the projection leaves out. The schema is the live one, whatever the connection's is. */
export async function skippedIds(
  connection: Queryable,
  schema: string,
  projection: string,
): Promise<ReadonlySet<string>> {
  const rows = await noneWithoutTable(
    connection.query<{ eventId: string }>({
      text: `SELECT event_id AS "eventId" FROM "${schema}".skipped_events WHERE projection = $1`,
      values: [projection],
    }),
  );
  return new Set(rows.map(({ eventId }) => eventId));
}

/** Reads the standstills and the skipped events of the schema's projections; none without the tables. */
export async function standingOf(database: Queryable): Promise<Standing> {
  const standstills = database.query<Standstill>({
    text: `SELECT projection, version, event_id AS "eventId", stream, type, since
           FROM standstills ORDER BY projection, version`,
    values: [],
  });
  const skipped = database.query<SkippedEvent>({
    text: `SELECT projection, event_id AS "eventId", stream, type, skipped_by AS "skippedBy",
                  skipped_at AS "skippedAt", reason
           FROM skipped_events ORDER BY skipped_at, projection, event_id`,
    values: [],
  });
  const found = [noneWithoutTable(standstills), noneWithoutTable(skipped)] as const;
  const [standing, left] = await Promise.all(found);
  return { standstills: standing, skipped: left };
}

/** Throws RebuildRefused unless the projection stands still at the event. */
export async function requireStandstill(
  database: Queryable,
  projection: string,
  eventId: string,
): Promise<Standstill> {
  const { standstills } = await standingOf(database);
  const standing = standstills.filter((each) => each.projection === projection);
  const found = standing.find((each) => each.eventId === eventId);
  if (found) return found;
  const events = standing.map((each) => each.eventId).join(', ');
  throw new RebuildRefused(
    events === ''
      ? `${projection} does not stand still: there is nothing to skip.`
      : `${projection} stands still at ${events}, and may skip no other event.`,
  );
}

/**
 * Has the projection leave out the event that it stands still at, now and in every rebuild; its process takes that up
 * within seconds. Throws RebuildRefused where it stands elsewhere.
 */
export async function skipEvent(
  database: Database,
  skip: Pick<SkippedEvent, 'projection' | 'eventId' | 'skippedBy' | 'reason'>,
): Promise<void> {
  const { projection, eventId, skippedBy, reason } = skip;
  const skipped = await database.query({
    text: `INSERT INTO skipped_events (projection, event_id, stream, type, skipped_by, reason)
           SELECT DISTINCT projection, event_id, stream, type, $3, $4
           FROM standstills WHERE projection = $1 AND event_id = $2
           ON CONFLICT (projection, event_id) DO UPDATE SET reason = skipped_events.reason
           RETURNING event_id`,
    values: [projection, eventId, skippedBy, reason],
  });
  if (skipped.length === 0) await requireStandstill(database, projection, eventId);
}

async function noneWithoutTable<Row>(rows: Promise<readonly Row[]>): Promise<readonly Row[]> {
  try {
    return await rows;
  } catch (error) {
    if (error instanceof StatementFailed && error.sqlState === undefinedTable) return [];
    throw error;
  }
}
