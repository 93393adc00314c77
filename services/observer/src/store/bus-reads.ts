import type { Queryable } from '@sluice/read-model';

/** Notes that the bus is read now. Returns the time of the note before, or undefined if there is none. */
export async function noteBusRead(transaction: Queryable, now: Date): Promise<Date | undefined> {
  const [row] = await transaction.query<{ before: Date | null }>({
    text: `WITH before AS (SELECT last_at FROM bus_reads)
      INSERT INTO bus_reads (last_at) VALUES ($1::timestamptz)
      ON CONFLICT (only_row) DO UPDATE SET last_at = greatest(bus_reads.last_at, excluded.last_at)
      RETURNING (SELECT last_at FROM before) AS before`,
    values: [now],
  });
  return row?.before ?? undefined;
}

/** Notes with each active destination that it lost generations of which nothing is known. Returns their number. */
export async function noteGap(transaction: Queryable, now: Date): Promise<number> {
  const rows = await transaction.query({
    text: 'UPDATE deliveries SET last_lost_at = $1::timestamptz WHERE is_active RETURNING 1',
    values: [now],
  });
  return rows.length;
}
