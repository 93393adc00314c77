import { type Connection, type Database, openDatabase } from '@sluice/read-model';
import { archiveDay, type ArchivedDay } from './archive-day.ts';
import { dropEmptyPartitions } from './drop-empty-partitions.ts';

export { FactsArchived } from '../store/archived-days.ts';
export { DayChanged } from './archive-day.ts';

/** The days that are archived, and the folder of their files. */
export interface FactsToArchive {
  readonly folder: string;
  /** Days of admission that ended by this instant. */
  readonly before: Date;
  /** Stops after the day that is under way. */
  readonly signal?: AbortSignal;
  /** Called with the days before the first of them is archived. */
  readonly onDays?: (days: readonly string[]) => void;
  /** Called for each day, the oldest first. */
  readonly onDay?: (day: ArchivedDay) => void;
}

export interface ArchiveOptions extends FactsToArchive {
  readonly postgresUrl: string;
  /** `ledger` when absent; only tests set it. */
  readonly schema?: string;
  /** false: only says which days they are. */
  readonly isConfirmed: boolean;
}

/** Thrown while another process archives. */
export class ArchiveBusy extends Error {
  override readonly name = 'ArchiveBusy';
}

const statementTimeoutMs = 3_600_000;
const lock = `hashtextextended('sluice/archive/' || current_schema(), 0)`;

/** Archives old days one by one. Returns the days that are, or would be, archived. Throws ArchiveBusy, DayChanged. */
export async function archiveFacts(options: ArchiveOptions): Promise<readonly string[]> {
  const { postgresUrl: url, schema = 'ledger', isConfirmed } = options;
  const database = openDatabase({ url, schema, connectionsMax: 1, statementTimeoutMs });
  try {
    return isConfirmed
      ? await archiveOldDays(database, options)
      : await daysBefore(database, options);
  } finally {
    await database.stop();
  }
}

/** Archives days of a database on a connection of its own. Returns them. Throws ArchiveBusy, DayChanged. */
export async function archiveOldDays(
  database: Pick<Database, 'connect'>,
  facts: FactsToArchive,
): Promise<readonly string[]> {
  const connection = await database.connect({ statementTimeoutMs });
  try {
    await lockOrThrow(connection);
    const days = await daysBefore(connection, facts);
    facts.onDays?.(days);
    for (const day of days) {
      if (facts.signal?.aborted === true) return days;
      const archived = await archiveDay(connection, { day, folder: facts.folder });
      if (archived) facts.onDay?.(archived);
    }
    await dropEmptyPartitions(connection, facts.before);
    return days;
  } finally {
    // The lock ends with it.
    await connection.close();
  }
}

async function lockOrThrow(connection: Connection): Promise<void> {
  const [row] = await connection.query<{ locked: boolean }>({
    text: `SELECT pg_try_advisory_lock(${lock}) AS locked`,
    values: [],
  });
  if (row?.locked !== true) throw new ArchiveBusy('Another process archives facts now.');
}

/** Returns the days that have facts, the oldest first. */
async function daysBefore(
  database: Pick<Database, 'query'>,
  { before }: Pick<FactsToArchive, 'before'>,
): Promise<readonly string[]> {
  const rows = await database.query<{ day: string }>({
    text: `SELECT DISTINCT to_char(admitted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day FROM usage_facts
      WHERE admitted_at < date_trunc('day', $1::timestamptz, 'UTC') ORDER BY day`,
    values: [before],
  });
  return rows.map(({ day }) => day);
}
