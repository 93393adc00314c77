import type { Queryable } from '@sluice/read-model';

/** An hour of an account. */
export interface AccountHour {
  readonly accountId: string;
  readonly hourMs: number;
}

export interface Mark extends AccountHour {
  readonly id: bigint;
}

/** After this time, the process that made a mark and did not make it ready is thought to be dead. */
const deadMinutes = 5;

/** Marks hours whose sums will be wrong once the facts are written. */
export async function makeMarks(
  connection: Queryable,
  hours: readonly AccountHour[],
): Promise<readonly bigint[]> {
  if (hours.length === 0) return [];
  const made = await connection.query<{ id: bigint }>({
    text: `INSERT INTO clickhouse_recounts (account_id, hour)
      SELECT * FROM unnest($1::text[], $2::timestamptz[]) RETURNING id`,
    values: [
      hours.map(({ accountId }) => accountId),
      hours.map(({ hourMs }) => new Date(hourMs).toISOString()),
    ],
  });
  return made.map(({ id }) => id);
}

/** Makes marks ready. False: one of them was taken for that of a dead process, so that new ones are needed. */
export async function readyMarks(transaction: Queryable, ids: readonly bigint[]): Promise<boolean> {
  if (ids.length === 0) return true;
  const ready = await transaction.query({
    text: `UPDATE clickhouse_recounts SET is_ready = true
      WHERE id = ANY($1::bigint[]) AND NOT is_ready RETURNING 1`,
    values: [ids],
  });
  return ready.length === ids.length;
}

/** Makes the marks of hours ready whose facts are there already, although the process that wrote them is gone. */
export async function claimMarks(
  connection: Queryable,
  hours: readonly AccountHour[],
): Promise<void> {
  if (hours.length === 0) return;
  await connection.query({
    text: `UPDATE clickhouse_recounts AS mark SET is_ready = true
      FROM unnest($1::text[], $2::timestamptz[]) AS claimed (account_id, hour)
      WHERE NOT is_ready AND mark.account_id = claimed.account_id AND mark.hour = claimed.hour`,
    values: [
      hours.map(({ accountId }) => accountId),
      hours.map(({ hourMs }) => new Date(hourMs).toISOString()),
    ],
  });
}

/** Returns some marks whose facts are written. */
export async function takeMarks(connection: Queryable, limit: number): Promise<readonly Mark[]> {
  await connection.query({
    text: `UPDATE clickhouse_recounts SET is_ready = true
      WHERE NOT is_ready AND made_at < now() - make_interval(mins => $1)`,
    values: [deadMinutes],
  });
  const marks = await connection.query<{ id: bigint; accountId: string; hour: Date }>({
    text: `SELECT id, account_id AS "accountId", hour FROM clickhouse_recounts
      WHERE is_ready ORDER BY id LIMIT $1`,
    values: [limit],
  });
  return marks.map(({ id, accountId, hour }) => ({ id, accountId, hourMs: hour.getTime() }));
}

export async function removeMarks(connection: Queryable, marks: readonly Mark[]): Promise<void> {
  await connection.query({
    text: 'DELETE FROM clickhouse_recounts WHERE id = ANY($1::bigint[])',
    values: [marks.map(({ id }) => id)],
  });
}

/** Returns the earliest hour that has a mark. Undefined: none has. */
export async function firstMark(connection: Queryable): Promise<number | undefined> {
  const [row] = await connection.query<{ hour: Date | null }>({
    text: 'SELECT min(hour) AS hour FROM clickhouse_recounts',
    values: [],
  });
  return row?.hour?.getTime();
}
