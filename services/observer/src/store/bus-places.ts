import type { ConsumerPlace } from '@sluice/bus';
import type { Queryable } from '@sluice/read-model';

/** Returns the place that was noted last, and keeps other replicas from noting one. Undefined: there is none. */
export async function lockPlace(
  transaction: Queryable,
  stream: string,
): Promise<ConsumerPlace | undefined> {
  const [row] = await transaction.query<{
    created: string;
    lastSequence: bigint;
    pending: bigint;
  }>({
    text: `SELECT created, last_sequence AS "lastSequence", pending FROM bus_places
      WHERE stream = $1 FOR UPDATE`,
    values: [stream],
  });
  return row && { ...row, lastSequence: Number(row.lastSequence), pending: Number(row.pending) };
}

export async function notePlace(
  transaction: Queryable,
  stream: string,
  { created, lastSequence, pending }: ConsumerPlace,
): Promise<void> {
  await transaction.query({
    text: `INSERT INTO bus_places (stream, created, last_sequence, pending) VALUES ($1, $2, $3, $4)
      ON CONFLICT (stream) DO UPDATE
      SET created = excluded.created, last_sequence = excluded.last_sequence, pending = excluded.pending`,
    values: [stream, created, lastSequence, pending],
  });
}
