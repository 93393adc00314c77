import type { Queryable } from '@sluice/read-model';
import type { Claimed, Failure, LogRow } from './deliveries.ts';

/** A dead letter that is sent again. */
export interface ReplayedLetter extends Pick<LogRow, 'generationId' | 'body' | 'contents'> {
  readonly deadLetterId: string;
}

/** A dead letter as it is listed. */
export interface DeadLetter {
  readonly deadLetterId: string;
  readonly generationId: string;
  readonly problem: string;
  readonly httpStatus: number | null;
  readonly attempts: number;
  readonly failedAt: Date;
  readonly isReplaying: boolean;
}

/** Dead letters of a destination that are kept: the newest. */
const lettersMax = 10_000;

/**
 * Keeps generations that a destination did not take. Older ones beyond the bound are counted as lost. Returns their
 * number.
 */
export async function bury(
  transaction: Queryable,
  { destinationId, accountId }: Pick<Claimed, 'destinationId' | 'accountId'>,
  {
    rows,
    problem,
    httpStatus,
    attempts,
    now,
  }: Failure & { readonly rows: readonly LogRow[]; readonly attempts: number; readonly now: Date },
): Promise<number> {
  await transaction.query({
    text: `INSERT INTO dead_letters (account_id, destination_id, generation_id, body, contents, problem, http_status,
        attempts, failed_at)
      SELECT $1, $2, generation_id, body, contents, $3, $4::int, $5::int, $6::timestamptz
      FROM unnest($7::text[], $8::text[], $9::text[]) AS given (generation_id, body, contents)
      ON CONFLICT (destination_id, generation_id) DO NOTHING`,
    values: [
      accountId,
      destinationId,
      problem,
      httpStatus ?? null,
      attempts,
      now,
      rows.map(({ generationId }) => generationId),
      rows.map(({ body }) => body),
      rows.map(({ contents }) => contents),
    ],
  });
  const [row] = await transaction.query<{ count: bigint }>({
    text: `WITH dropped AS (
        DELETE FROM dead_letters WHERE dead_letter_id IN (
          SELECT dead_letter_id FROM dead_letters WHERE destination_id = $1
          ORDER BY failed_at DESC, dead_letter_id OFFSET $2::int)
        RETURNING 1)
      UPDATE deliveries SET lost = lost + (SELECT count(*) FROM dropped), last_lost_at = $3::timestamptz
      WHERE destination_id = $1 AND EXISTS (SELECT FROM dropped)
      RETURNING (SELECT count(*) FROM dropped) AS count`,
    values: [destinationId, lettersMax, now],
  });
  return Number(row?.count ?? 0n);
}

export async function listLetters(
  connection: Queryable,
  destinationId: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<readonly DeadLetter[]> {
  return await connection.query<DeadLetter>({
    text: `SELECT dead_letter_id AS "deadLetterId", generation_id AS "generationId", problem,
        http_status AS "httpStatus", attempts, failed_at AS "failedAt", is_replaying AS "isReplaying"
      FROM dead_letters WHERE destination_id = $1
      ORDER BY failed_at DESC, dead_letter_id OFFSET $2::int LIMIT $3::int`,
    values: [destinationId, offset, limit],
  });
}

export async function countLetters(connection: Queryable, destinationId: string): Promise<bigint> {
  const [row] = await connection.query<{ count: bigint }>({
    text: 'SELECT count(*) AS count FROM dead_letters WHERE destination_id = $1',
    values: [destinationId],
  });
  return row?.count ?? 0n;
}

/** Marks dead letters of a destination to be sent again: these, or all. Returns their number. */
export async function replay(
  transaction: Queryable,
  { accountId, destinationId }: Pick<Claimed, 'accountId' | 'destinationId'>,
  ids: readonly string[],
): Promise<bigint> {
  const [row] = await transaction.query<{ count: bigint }>({
    text: `WITH marked AS (
        UPDATE dead_letters SET is_replaying = true
        WHERE account_id = $1 AND destination_id = $2
          AND (cardinality($3::uuid[]) = 0 OR dead_letter_id = ANY ($3::uuid[]))
        RETURNING 1)
      SELECT count(*) AS count FROM marked`,
    values: [accountId, destinationId, ids],
  });
  const count = row?.count ?? 0n;
  if (count > 0n)
    await transaction.query({
      text: `UPDATE deliveries SET is_replaying = true WHERE account_id = $1 AND destination_id = $2`,
      values: [accountId, destinationId],
    });
  return count;
}

/** Reads dead letters that are to be sent again, the oldest first. */
export async function readReplayed(
  connection: Queryable,
  { accountId, destinationId }: Pick<Claimed, 'accountId' | 'destinationId'>,
  limit: number,
): Promise<readonly ReplayedLetter[]> {
  return await connection.query<ReplayedLetter>({
    text: `SELECT dead_letter_id AS "deadLetterId", generation_id AS "generationId", body, contents
      FROM dead_letters WHERE account_id = $1 AND destination_id = $2 AND is_replaying
      ORDER BY failed_at, dead_letter_id LIMIT $3::int`,
    values: [accountId, destinationId, limit],
  });
}

/** Removes dead letters that were delivered. */
export async function removeDelivered(
  transaction: Queryable,
  destinationId: string,
  { ids, now }: { readonly ids: readonly string[]; readonly now: Date },
): Promise<void> {
  await transaction.query({
    text: 'DELETE FROM dead_letters WHERE destination_id = $1 AND dead_letter_id = ANY ($2::uuid[])',
    values: [destinationId, ids],
  });
  await transaction.query({
    text: `UPDATE deliveries SET delivered = delivered + $2::bigint, last_delivered_at = $3::timestamptz,
        attempts = 0, failing_since = NULL WHERE destination_id = $1`,
    values: [destinationId, ids.length, now],
  });
}

/** Leaves dead letters that were refused again where they are. */
export async function keepDead(
  connection: Queryable,
  destinationId: string,
  { ids, problem, httpStatus }: Failure & { readonly ids: readonly string[] },
): Promise<void> {
  await connection.query({
    text: `UPDATE dead_letters SET is_replaying = false, attempts = attempts + 1, problem = $3, http_status = $4::int
      WHERE destination_id = $1 AND dead_letter_id = ANY ($2::uuid[])`,
    values: [destinationId, ids, problem, httpStatus ?? null],
  });
}

/** Notes that no dead letter waits any more. */
export async function endReplay(connection: Queryable, destinationId: string): Promise<void> {
  await connection.query({
    text: `UPDATE deliveries SET is_replaying = EXISTS (
        SELECT FROM dead_letters WHERE destination_id = $1 AND is_replaying) WHERE destination_id = $1`,
    values: [destinationId],
  });
}
