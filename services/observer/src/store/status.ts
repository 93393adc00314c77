import type { AccountQueryable } from '@sluice/read-model';

/** The state of a destination. */
export interface DeliveryStatus {
  readonly isActive: boolean;
  readonly attempts: number;
  readonly nextAttemptAt: Date | null;
  readonly isLeased: boolean;
  readonly delivered: bigint;
  readonly lost: bigint;
  readonly lastLostAt: Date | null;
  readonly lastDeliveredAt: Date | null;
  readonly lastError: string;
  readonly lastErrorAt: Date | null;
  readonly failingSince: Date | null;
  readonly deadLetters: bigint;
  /** At most 10,000. */
  readonly backlog: bigint;
  /** The end of the oldest generation that is not handled. */
  readonly oldestAt: Date | null;
}

/** Returns undefined for a destination that was never active. */
export async function readStatus(
  account: AccountQueryable,
  destinationId: string,
  now: Date,
): Promise<DeliveryStatus | undefined> {
  const [row] = await account.query<DeliveryStatus & Record<string, unknown>>({
    text: `SELECT is_active AS "isActive", attempts, leased_until > $3::timestamptz AS "isLeased",
        CASE WHEN next_attempt_at > $3::timestamptz THEN next_attempt_at END AS "nextAttemptAt",
        delivered, lost, last_lost_at AS "lastLostAt", last_delivered_at AS "lastDeliveredAt",
        last_error AS "lastError", last_error_at AS "lastErrorAt", failing_since AS "failingSince",
        (SELECT count(*) FROM dead_letters WHERE dead_letters.destination_id = $2) AS "deadLetters",
        (SELECT count(*) FROM (SELECT FROM generations WHERE generations.workspace_id = deliveries.workspace_id
          AND seq > position LIMIT 10000) AS behind) AS backlog,
        (SELECT finished_at FROM generations WHERE generations.workspace_id = deliveries.workspace_id
          AND seq > position ORDER BY seq LIMIT 1) AS "oldestAt"
      FROM deliveries WHERE account_id = $1 AND destination_id = $2`,
    values: [account.accountId, destinationId, now],
  });
  return row;
}
