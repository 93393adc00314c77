import type { Queryable } from '@sluice/read-model';

/** A destination that is to be served. It is this process's until the lease ends. */
export interface Claimed {
  readonly destinationId: string;
  readonly accountId: string;
  readonly workspaceId: string;
  readonly position: bigint;
  readonly attempts: number;
  readonly isReplaying: boolean;
}

/** A row of the log. */
export interface LogRow {
  readonly seq: bigint;
  readonly generationId: string;
  readonly body: string;
  readonly contents: string | null;
}

/** A destination that the workspace service knows. */
export interface KnownDestination {
  readonly destinationId: string;
  readonly accountId: string;
  readonly workspaceId: string;
}

/**
 * A place that a crash of PostgreSQL may take back by a second: generations are then sent again. So no statement waits
 * for the disk, which delays others.
 */
const relaxed = `WITH relaxed AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))`;

/**
 * Makes these the active destinations of all accounts, or of one. A new one, or one that is active again, begins at
 * the end of the log.
 */
export async function setActive(
  transaction: Queryable,
  destinations: readonly KnownDestination[],
  { accountId, now }: { readonly accountId: string | undefined; readonly now: Date },
): Promise<void> {
  const ids = destinations.map(({ destinationId }) => destinationId);
  await transaction.query({
    text: `UPDATE deliveries SET is_active = false, inactive_since = $1::timestamptz
      WHERE is_active AND ($2::text IS NULL OR account_id = $2) AND destination_id <> ALL ($3::text[])`,
    values: [now, accountId ?? null, ids],
  });
  if (ids.length === 0) return;
  // The lock keeps the end where it is until the positions are written.
  await transaction.query({
    text: `WITH log AS (SELECT last_seq FROM log_end FOR SHARE)
      INSERT INTO deliveries (destination_id, account_id, workspace_id, is_active, position, next_attempt_at,
        leased_until, served_at)
      SELECT given.destination_id, given.account_id, given.workspace_id, true, log.last_seq, '-infinity', '-infinity',
        $1::timestamptz
      FROM log, unnest($2::text[], $3::text[], $4::text[]) AS given (destination_id, account_id, workspace_id)
      ON CONFLICT (destination_id) DO UPDATE SET is_active = true, inactive_since = NULL,
        position = excluded.position, attempts = 0, next_attempt_at = '-infinity', failing_since = NULL
      WHERE NOT deliveries.is_active`,
    values: [
      now,
      ids,
      destinations.map((one) => one.accountId),
      destinations.map(({ workspaceId }) => workspaceId),
    ],
  });
}

export interface ClaimOptions {
  readonly now: Date;
  readonly leaseMs: number;
  readonly limit: number;
  /** True: only those that failed last. False: only the others. */
  readonly isFailing: boolean;
}

/** Leases destinations that have something to be sent: those that were not served for longest. */
export async function claim(
  connection: Queryable,
  { now, leaseMs, limit, isFailing }: ClaimOptions,
): Promise<readonly Claimed[]> {
  return await connection.query<Claimed>({
    text: `${relaxed} UPDATE deliveries SET leased_until = $2::timestamptz, served_at = $1::timestamptz FROM relaxed
      WHERE destination_id IN (
        SELECT destination_id FROM deliveries LEFT JOIN workspace_ends USING (workspace_id)
        WHERE is_active AND next_attempt_at <= $1::timestamptz AND leased_until <= $1::timestamptz
          AND (attempts > 0) = $4::boolean AND (is_replaying OR last_seq > position)
        ORDER BY served_at LIMIT $3::int FOR UPDATE OF deliveries SKIP LOCKED)
      RETURNING destination_id AS "destinationId", deliveries.account_id AS "accountId",
        deliveries.workspace_id AS "workspaceId", position, attempts, is_replaying AS "isReplaying"`,
    values: [now, new Date(now.getTime() + leaseMs), limit, isFailing],
  });
}

/** Reads what follows the position of a destination: at least one row, and more while they fit. */
export async function readLog(
  connection: Queryable,
  { accountId, workspaceId, position }: Pick<Claimed, 'accountId' | 'workspaceId' | 'position'>,
  { rowsMax, bytesMax }: { readonly rowsMax: number; readonly bytesMax: number },
): Promise<readonly LogRow[]> {
  return await connection.query<LogRow>({
    text: `SELECT seq, "generationId", body, contents FROM (
        SELECT seq, generation_id AS "generationId", body, contents,
          sum(bytes) OVER (ORDER BY seq) - bytes AS before
        FROM (SELECT * FROM generations WHERE workspace_id = $1 AND account_id = $2 AND seq > $3::bigint
          ORDER BY seq LIMIT $4::int) AS next
      ) AS summed WHERE before < $5::bigint ORDER BY seq`,
    values: [workspaceId, accountId, position, rowsMax, bytesMax],
  });
}

/** Notes that all up to a position is handled: delivered, or not wanted. */
export async function noteHandled(
  connection: Queryable,
  destinationId: string,
  {
    position,
    delivered,
    now,
  }: { readonly position: bigint; readonly delivered: number; readonly now: Date },
): Promise<void> {
  await connection.query({
    text: `${relaxed} UPDATE deliveries SET position = greatest(position, $2::bigint),
        delivered = delivered + $3::bigint,
        attempts = CASE WHEN $3::bigint > 0 THEN 0 ELSE attempts END,
        failing_since = CASE WHEN $3::bigint > 0 THEN NULL ELSE failing_since END,
        last_delivered_at = CASE WHEN $3::bigint > 0 THEN $4::timestamptz ELSE last_delivered_at END
      FROM relaxed WHERE destination_id = $1`,
    values: [destinationId, position, delivered, now],
  });
}

export interface Failure {
  readonly problem: string;
  readonly httpStatus: number | undefined;
}

/** Notes a failed attempt, and when the next one is made. */
export async function noteFailed(
  connection: Queryable,
  destinationId: string,
  {
    attempts,
    problem,
    retryAt,
    now,
  }: Failure & { readonly attempts: number; readonly retryAt: Date; readonly now: Date },
): Promise<void> {
  await connection.query({
    text: `UPDATE deliveries SET attempts = $2::int, next_attempt_at = $3::timestamptz, last_error = $4,
        last_error_at = $5::timestamptz, failing_since = coalesce(failing_since, $5::timestamptz)
      WHERE destination_id = $1`,
    values: [destinationId, attempts, retryAt, problem, now],
  });
}

/** Extends the leases of destinations. */
export async function renew(
  connection: Queryable,
  destinationIds: readonly string[],
  until: Date,
): Promise<void> {
  await connection.query({
    text: `${relaxed} UPDATE deliveries SET leased_until = $2::timestamptz FROM relaxed
      WHERE destination_id = ANY ($1::text[])
        AND leased_until > '-infinity'`,
    values: [destinationIds, until],
  });
}

/** Ends the lease of a destination. */
export async function release(connection: Queryable, destinationId: string): Promise<void> {
  await connection.query({
    text: `${relaxed} UPDATE deliveries SET leased_until = '-infinity' FROM relaxed WHERE destination_id = $1`,
    values: [destinationId],
  });
}
