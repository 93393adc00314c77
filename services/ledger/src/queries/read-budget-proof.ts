import { Fault } from '@sluice/errors';
import type { Queryable } from '@sluice/read-model';

/** One limit of a scope, in the window of now. Nano-USD. */
export interface BudgetFigures {
  readonly scopeKind: string;
  readonly windowKind: string;
  readonly windowStart: string;
  readonly limitNanoUsd: bigint;
  readonly includeByok: boolean;
  readonly settledNanoUsd: bigint;
  /** Out on leases of all replicas, and how many they are. */
  readonly leasedNanoUsd: bigint;
  readonly leases: bigint;
}

interface Row {
  readonly at: Date;
  readonly scope_kind: string | null;
  readonly window_kind: string;
  readonly window_start: Date;
  readonly limit_nano_usd: bigint;
  readonly include_byok: boolean;
  readonly settled: bigint;
  readonly leased: bigint;
  readonly leases: bigint;
}

const text = `
  SELECT moment.at, budget.*
  FROM (SELECT now() AS at) AS moment
  LEFT JOIN LATERAL (
    SELECT scope_kind, window_kind, window_start, limit_nano_usd, include_byok, out.leased, out.leases,
      coalesce(credits_nano_usd + CASE WHEN include_byok THEN byok_nano_usd ELSE 0 END, 0) AS settled
    FROM limits
    CROSS JOIN LATERAL (SELECT CASE window_kind
      WHEN 'daily' THEN date_trunc('day', moment.at, 'UTC')
      WHEN 'weekly' THEN date_trunc('week', moment.at, 'UTC')
      WHEN 'monthly' THEN date_trunc('month', moment.at, 'UTC')
      ELSE to_timestamp(0) END AS window_start) AS current
    LEFT JOIN counters USING (account_id, scope_kind, scope_id, window_kind, window_start)
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE closed_at IS NULL) AS leases, coalesce(
        sum(greatest(0, granted_nano_usd - returned_nano_usd - counted_nano_usd)), 0
      )::bigint AS leased
      FROM leases AS lease
      WHERE (lease.account_id, lease.scope_kind, lease.scope_id, lease.window_kind, lease.window_start)
        = (limits.account_id, limits.scope_kind, limits.scope_id, limits.window_kind, current.window_start)
    ) AS out
    WHERE account_id = $1 AND scope_id = $2
  ) AS budget ON true
  ORDER BY scope_kind, window_kind`;

/**
 * What a scope may spend, has spent and has out: a single statement, so that usage which is settled
 * meanwhile is in both or in neither.
 */
export async function readBudgetProof(
  readModel: Queryable,
  { accountId, scopeId }: { readonly accountId: string; readonly scopeId: string },
): Promise<{ at: string; budgets: BudgetFigures[] }> {
  if (`${accountId}${scopeId}`.includes('\0')) throw new Fault('not_found');
  const values = [accountId, scopeId];
  const rows = await readModel.query<Row>({ name: 'read-budget-proof', text, values });
  const [first] = rows;
  if (!first) throw new Fault('internal', { message: 'there is no now' });
  return {
    at: first.at.toISOString(),
    budgets: rows.flatMap((row) =>
      row.scope_kind === null ? [] : [figuresOf(row, row.scope_kind)],
    ),
  };
}

function figuresOf(row: Row, scopeKind: string): BudgetFigures {
  return {
    scopeKind,
    windowKind: row.window_kind,
    windowStart: row.window_start.toISOString(),
    limitNanoUsd: row.limit_nano_usd,
    includeByok: row.include_byok,
    settledNanoUsd: row.settled,
    leasedNanoUsd: row.leased,
    leases: row.leases,
  };
}
