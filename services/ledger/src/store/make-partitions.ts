import type { Database, Queryable } from '@sluice/read-model';

/** The time that a partition of facts holds. */
export type PartitionWidth = 'day' | 'month';

const dayMs = 86_400_000;
/** Partitions are made so long before their time. */
const aheadMs = dayMs;
/** Facts of a longer pause stay in the partition of the rest. */
const behindMs = 7 * dayMs;

const lock = `SELECT pg_advisory_xact_lock(hashtextextended('sluice/facts-partitions/' || current_schema(), 0))`;

const newest = `
  SELECT max((regexp_match(pg_get_expr(relpartbound, pg_class.oid), $$TO \\('([^']+)'\\)$$))[1]::timestamptz) AS past
  FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
  WHERE inhparent = 'usage_facts'::regclass`;

/** Makes the partitions that facts need soon, each once, however many ledgers do it at a time. Returns their number. */
export async function makePartitions(
  database: Pick<Database, 'transaction'>,
  { width, now }: { readonly width: PartitionWidth; readonly now: Date },
): Promise<number> {
  return await database.transaction(async (transaction) => {
    await transaction.query({ text: lock, values: [] });
    const [row] = await transaction.query<{ past: Date | null }>({ text: newest, values: [] });
    let made = 0;
    // Null: all of them were archived.
    const past = row?.past?.getTime() ?? 0;
    let first = Math.max(past, dayStart(now.getTime() - behindMs));
    while (first < now.getTime() + aheadMs) {
      const end = endOf(first, width);
      await makePartition(transaction, first, end);
      made += 1;
      first = end;
    }
    return made;
  });
}

/**
 * Gathers statistics of all partitions together, which PostgreSQL does not gather by itself. It takes samples, and
 * blocks no reader and no writer.
 */
export async function gatherStatistics(database: Queryable): Promise<void> {
  await database.query({ text: 'ANALYZE usage_facts', values: [] });
}

async function makePartition(transaction: Queryable, first: number, past: number): Promise<void> {
  await transaction.query({
    text: 'SELECT make_facts_partition($1::timestamptz, $2::timestamptz)',
    values: [new Date(first), new Date(past)],
  });
}

function dayStart(instantMs: number): number {
  return Math.floor(instantMs / dayMs) * dayMs;
}

/** Returns the end of the day or of the month that begins, or has begun, at an instant. */
function endOf(first: number, width: PartitionWidth): number {
  if (width === 'day') return dayStart(first) + dayMs;
  const date = new Date(first);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}
