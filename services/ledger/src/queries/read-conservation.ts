import type { GetConservationProofResponse } from '@sluice/protos/sluice/ledger/v1/ledger';
import type { Database } from '@sluice/read-model';

export interface ConservationQuestion {
  readonly accountId: string;
  /** UTC days of the admission, both included: `2026-11-18`. */
  readonly fromDay: string;
  readonly toDay: string;
}

const shownMax = 1_000;

const days = (of: string) =>
  `${of}admitted_at >= ($2::date)::timestamp AT TIME ZONE 'UTC'
    AND ${of}admitted_at < ($3::date + 1)::timestamp AT TIME ZONE 'UTC'`;

/** Facts that the last report of their replica does not include are late. Some of them are open in it. */
const sums = `
  SELECT now() AS at,
    (SELECT min(reported_at) FROM admission_reports) AS reported_at,
    reported.*, facts.*, open.*, suspense.*
  FROM (
    SELECT coalesce(sum(admitted), 0)::bigint AS admitted,
      coalesce(sum(settled), 0)::bigint AS written, coalesce(sum(released), 0)::bigint AS released
    FROM admissions WHERE account_id = $1 AND day BETWEEN $2::date AND $3::date
  ) AS reported, (
    SELECT count(*) AS settled, count(*) FILTER (WHERE is_late) AS late,
      count(*) FILTER (WHERE is_late AND is_open) AS late_open,
      coalesce(sum(cost_nano_usd), 0)::bigint AS settled_nano_usd
    FROM (
      SELECT cost_nano_usd,
        (fact.epoch, fact.sequence) > (report.epoch, report.settled_sequence) AS is_late,
        attempt.usage_id IS NOT NULL AS is_open
      FROM usage_facts AS fact
      JOIN admission_reports AS report
        ON report.replica = fact.replica AND fact.epoch >= report.first_epoch
      LEFT JOIN open_attempts AS attempt
        ON (attempt.replica, attempt.usage_id) = (fact.replica, fact.usage_id)
      WHERE fact.account_id = $1
        AND ${days('fact.')}
    ) AS counted
  ) AS facts, (
    SELECT count(*) AS reported_open,
      coalesce(sum(hold_nano_usd) FILTER (WHERE NOT is_counted), 0)::bigint AS open_hold_nano_usd
    FROM (
      SELECT hold_nano_usd,
        EXISTS (SELECT FROM usage_facts AS fact WHERE fact.usage_id = attempt.usage_id) AS is_counted
      FROM open_attempts AS attempt
      WHERE account_id = $1
        AND ${days('')}
    ) AS attempts
  ) AS open, (
    SELECT count(*) AS suspended, coalesce(sum(suspended_nano_usd), 0)::bigint AS suspended_nano_usd,
      coalesce(sum(claimed_nano_usd), 0)::bigint AS claimed_nano_usd
    FROM estimates JOIN usage_facts AS fact USING (usage_id, account_id)
    WHERE account_id = $1 AND corrected_at IS NULL AND suspended_nano_usd + claimed_nano_usd > 0
      AND ${days('fact.')}
  ) AS suspense`;

const openAttempts = `
  SELECT usage_id AS "usageId", account_id AS "accountId", admitted_at,
    hold_nano_usd AS "holdNanoUsd"
  FROM open_attempts AS attempt
  WHERE account_id = $1
    AND ${days('')}
    AND NOT EXISTS (SELECT FROM usage_facts AS fact WHERE fact.usage_id = attempt.usage_id)
  ORDER BY admitted_at, usage_id LIMIT ${shownMax}`;

const suspended = `
  SELECT usage_id FROM estimates JOIN usage_facts AS fact USING (usage_id, account_id)
  WHERE account_id = $1 AND corrected_at IS NULL AND suspended_nano_usd + claimed_nano_usd > 0
    AND ${days('fact.')}
  ORDER BY suspended_nano_usd DESC, usage_id LIMIT ${shownMax}`;

interface Sums {
  readonly at: Date;
  readonly reported_at: Date | null;
  readonly admitted: bigint;
  readonly written: bigint;
  readonly released: bigint;
  readonly settled: bigint;
  readonly late: bigint;
  readonly late_open: bigint;
  readonly settled_nano_usd: bigint;
  readonly reported_open: bigint;
  readonly open_hold_nano_usd: bigint;
  readonly suspended: bigint;
  readonly suspended_nano_usd: bigint;
  readonly claimed_nano_usd: bigint;
}

/**
 * Reads admissions and their outcomes in one snapshot. What the replicas' reports and the counted facts
 * say is put together by place, so that what was counted after a report is neither missing nor twice.
 */
export async function readConservation(
  database: Database,
  { accountId, fromDay, toDay }: ConservationQuestion,
): Promise<GetConservationProofResponse> {
  const values = [accountId, fromDay, toDay];
  return await database.transaction(async (transaction) => {
    await transaction.query({
      text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY',
      values: [],
    });
    const [row] = await transaction.query<Sums>({ text: sums, values });
    if (!row) throw new Error('sums have a row');
    const open = await transaction.query<{
      usageId: string;
      accountId: string;
      admitted_at: Date;
      holdNanoUsd: bigint;
    }>({ text: openAttempts, values });
    const held = await transaction.query<{ usage_id: string }>({ text: suspended, values });
    return {
      at: row.at.toISOString(),
      admitted: row.admitted + row.late - row.late_open,
      settled: row.settled,
      underWay: row.written - (row.settled - row.late),
      released: row.released,
      open: row.reported_open - row.late_open,
      settledNanoUsd: row.settled_nano_usd,
      openHoldNanoUsd: row.open_hold_nano_usd,
      openAttempts: open.map(({ admitted_at, ...attempt }) => ({
        ...attempt,
        admittedAt: admitted_at.toISOString(),
      })),
      suspended: row.suspended,
      suspendedNanoUsd: row.suspended_nano_usd,
      claimedNanoUsd: row.claimed_nano_usd,
      suspendedUsageIds: held.map(({ usage_id }) => usage_id),
      reportedAt: row.reported_at?.toISOString() ?? '',
    };
  });
}
