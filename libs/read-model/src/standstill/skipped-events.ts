import type { EventMark } from '@sluice/es';
import { withoutTable } from '../failure.ts';
import type { Queryable } from '../statement.ts';
import type { Standstill } from './standstill.ts';

/** An event that an operator lets the parts of a service skip. */
export interface SkippedEvent extends Pick<EventMark, 'stream' | 'type'> {
  /** `*`: all of them. Earlier versions skipped an event for one projection. */
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

/** Stands for all projections and reactions of the schema. */
export const everyProjection = '*';

/** The ids of the events that the projection leaves out. The schema is the live one, whatever the connection's is. */
export async function skippedIds(
  connection: Queryable,
  schema: string,
  projection: string,
): Promise<ReadonlySet<string>> {
  const rows = connection.query<{ eventId: string }>({
    text: `SELECT event_id AS "eventId" FROM "${schema}".skipped_events
           WHERE projection IN ($1, $2)`,
    values: [projection, everyProjection],
  });
  return new Set((await withoutTable(rows, [])).map(({ eventId }) => eventId));
}

/** Reads the standstills and the skipped events of the schema's projections; none without the tables. */
export async function standingOf(database: Queryable): Promise<Standing> {
  const standstills = database.query<Standstill>({
    text: `SELECT projection, version, event_id AS "eventId", stream, type, since
           FROM standstills ORDER BY projection, version, since, stream`,
    values: [],
  });
  const skipped = database.query<SkippedEvent>({
    text: `SELECT projection, event_id AS "eventId", stream, type, skipped_by AS "skippedBy",
                  skipped_at AS "skippedAt", reason
           FROM skipped_events ORDER BY skipped_at, projection, event_id`,
    values: [],
  });
  const found = [withoutTable(standstills, []), withoutTable(skipped, [])] as const;
  const [standing, left] = await Promise.all(found);
  return { standstills: standing, skipped: left };
}

/** Returns the events that all parts of the service leave out. Commands are decided without them too. */
export async function eventsSkippedByAll(database: Queryable): Promise<ReadonlySet<string>> {
  const rows = database.query<{ eventId: string }>({
    text: 'SELECT event_id AS "eventId" FROM skipped_events WHERE projection = $1',
    values: [everyProjection],
  });
  return new Set((await withoutTable(rows, [])).map(({ eventId }) => eventId));
}

/**
 * Has all parts of the service leave out an event that one of them cannot apply, now and in every rebuild. Its
 * processes take that up within seconds. False: no stream of the schema is set aside at it.
 */
export async function skipEvent(
  database: Queryable,
  { eventId, skippedBy, reason }: Pick<SkippedEvent, 'eventId' | 'skippedBy' | 'reason'>,
): Promise<boolean> {
  const skipped = await database.query({
    text: `INSERT INTO skipped_events (projection, event_id, stream, type, skipped_by, reason)
           SELECT $4, event_id, stream, type, $2, $3
           FROM standstills WHERE event_id = $1 LIMIT 1
           ON CONFLICT (projection, event_id) DO UPDATE SET reason = skipped_events.reason
           RETURNING event_id`,
    values: [eventId, skippedBy, reason, everyProjection],
  });
  return skipped.length > 0;
}
