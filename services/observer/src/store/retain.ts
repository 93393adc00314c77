import type { Queryable } from '@sluice/read-model';

/** Bounds the part of the log that is kept for destinations that are behind. */
export interface LogBounds {
  readonly ageMsMax: number;
  /** Bounds the bytes of one workspace. */
  readonly workspaceBytesMax: number;
  /** Bounds the bytes of all workspaces. */
  readonly bytesMax: number;
  /** Bounds the wait for the end of a response with tools, from its last part. 30 minutes if absent. */
  readonly endWaitMs?: number;
}

/** Generations that destinations did not get, because they were further behind than is kept. */
export interface Lost {
  readonly destinationId: string;
  readonly count: bigint;
}

/** A handled generation stays for so long, so that a repetition of its messages is noticed. */
const handledMs = 120_000;
const rowsMax = 20_000;
const inactiveMsMax = 30 * 24 * 3_600_000;
const letterMsMax = 7 * 24 * 3_600_000;

/** Deletes generations that all destinations of their workspace have handled. Returns their number. */
export async function dropHandled(connection: Queryable, now: Date): Promise<number> {
  const [row] = await connection.query<{ count: bigint }>({
    text: `WITH handled AS (
        SELECT workspace_ends.workspace_id, coalesce(min(position), 9223372036854775807) AS up_to
        FROM workspace_ends LEFT JOIN deliveries
          ON deliveries.workspace_id = workspace_ends.workspace_id AND is_active
        GROUP BY workspace_ends.workspace_id
      ), dropped AS (
        DELETE FROM generations WHERE seq IN (
          SELECT seq FROM generations JOIN handled USING (workspace_id)
          WHERE stored_at < $1::timestamptz AND seq <= up_to LIMIT $2::int)
        RETURNING 1)
      SELECT count(*) AS count FROM dropped`,
    values: [new Date(now.getTime() - handledMs), rowsMax],
  });
  return Number(row?.count ?? 0n);
}

/** Returns true if there are generations beyond the bounds. It reads without a lock: writers do not wait for it. */
export async function isBeyond(
  connection: Queryable,
  { ageMsMax, workspaceBytesMax, bytesMax }: LogBounds,
  now: Date,
): Promise<boolean> {
  const [row] = await connection.query<{ isBeyond: boolean }>({
    text: `SELECT coalesce(bool_or(oldest < $1::timestamptz OR bytes > $2::bigint) OR sum(bytes) > $3::bigint, false)
        AS "isBeyond"
      FROM (SELECT min(stored_at) AS oldest, sum(bytes) AS bytes FROM generations GROUP BY workspace_id) AS workspaces`,
    values: [new Date(now.getTime() - ageMsMax), workspaceBytesMax, bytesMax],
  });
  return row?.isBeyond ?? false;
}

/**
 * Deletes generations beyond the bounds, the oldest first, and moves the destinations that had not handled them. Each
 * loss is counted with its destination.
 */
export async function dropUnhandled(
  transaction: Queryable,
  { ageMsMax, workspaceBytesMax, bytesMax }: LogBounds,
  now: Date,
): Promise<readonly Lost[]> {
  // Writers wait, so that no generation is stored between the sums and the deletion.
  await transaction.query({ text: 'SELECT FROM log_end FOR UPDATE', values: [] });
  const cuts = await transaction.query<{ workspaceId: string; upTo: bigint }>({
    text: `SELECT workspace_id AS "workspaceId", max(seq) AS "upTo" FROM (
        SELECT workspace_id, seq, stored_at,
          sum(bytes) OVER (PARTITION BY workspace_id ORDER BY seq DESC) AS of_workspace,
          sum(bytes) OVER (ORDER BY seq DESC) AS of_all
        FROM generations) AS summed
      WHERE stored_at < $1::timestamptz OR of_workspace > $2::bigint OR of_all > $3::bigint
      GROUP BY workspace_id`,
    values: [new Date(now.getTime() - ageMsMax), workspaceBytesMax, bytesMax],
  });
  const lost: Lost[] = [];
  for (const { workspaceId, upTo } of cuts)
    lost.push(...(await cut(transaction, { workspaceId, upTo, now })));
  return lost;
}

async function cut(
  transaction: Queryable,
  {
    workspaceId,
    upTo,
    now,
  }: { readonly workspaceId: string; readonly upTo: bigint; readonly now: Date },
): Promise<readonly Lost[]> {
  const lost = await transaction.query<Lost>({
    text: `UPDATE deliveries SET position = $2::bigint, last_lost_at = $3::timestamptz, lost = lost + missed.count
      FROM (SELECT destination_id, count(*) AS count FROM deliveries JOIN generations USING (workspace_id)
        WHERE workspace_id = $1 AND is_active AND seq > position AND seq <= $2::bigint
        GROUP BY destination_id) AS missed
      WHERE deliveries.destination_id = missed.destination_id
      RETURNING deliveries.destination_id AS "destinationId", missed.count AS count`,
    values: [workspaceId, upTo, now],
  });
  await transaction.query({
    text: 'DELETE FROM generations WHERE workspace_id = $1 AND seq <= $2::bigint',
    values: [workspaceId, upTo],
  });
  return lost;
}

/**
 * Deletes old dead letters, and the rows of destinations that were deleted or disabled long ago. Returns the dead
 * letters, which are lost for their destinations.
 */
export async function dropOld(transaction: Queryable, now: Date): Promise<readonly Lost[]> {
  const lost = await transaction.query<Lost>({
    text: `WITH dropped AS (
        DELETE FROM dead_letters WHERE failed_at < $1::timestamptz RETURNING destination_id
      ), counted AS (SELECT destination_id, count(*) AS count FROM dropped GROUP BY destination_id)
      UPDATE deliveries SET lost = lost + counted.count, last_lost_at = $2::timestamptz
      FROM counted WHERE deliveries.destination_id = counted.destination_id
      RETURNING deliveries.destination_id AS "destinationId", counted.count AS count`,
    values: [new Date(now.getTime() - letterMsMax), now],
  });
  await transaction.query({
    text: 'DELETE FROM deliveries WHERE NOT is_active AND inactive_since < $1::timestamptz',
    values: [new Date(now.getTime() - inactiveMsMax)],
  });
  return lost;
}
