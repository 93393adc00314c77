import { Fault } from '@sluice/errors';
import type { AccountReads } from '@sluice/read-model';

/** One limit of a scope, in the window of an instant. Nano-USD. */
export interface BudgetFigures {
  readonly scopeKind: string;
  /** For a guardrail: the scope of one assignee. */
  readonly scopeId: string;
  readonly windowKind: string;
  readonly windowStart: string;
  readonly limitNanoUsd: bigint;
  readonly includeByok: boolean;
  readonly settledNanoUsd: bigint;
  /** Neither settled nor free. */
  readonly suspendedNanoUsd: bigint;
  /** Out on leases of all replicas, how many they are, and what of it is held; absent of a past instant. */
  readonly leasedNanoUsd?: bigint | undefined;
  readonly leases?: bigint | undefined;
  readonly heldNanoUsd?: bigint | undefined;
}

export interface BudgetRow {
  readonly at: Date;
  /** null: there is no limit. */
  readonly scope_kind: string | null;
  readonly scope_id: string;
  readonly window_kind: string;
  readonly window_start: Date;
  readonly limit_nano_usd: bigint;
  readonly include_byok: boolean;
  readonly settled: bigint;
  readonly suspended: bigint;
  readonly leased: bigint | null;
  readonly leases: bigint | null;
  readonly held: bigint | null;
}

/** The start of the window of a kind that an instant lies in, in SQL. */
export const windowStartOf = (kind: string, instant: string) => `
  CASE ${kind}
    WHEN 'daily' THEN date_trunc('day', ${instant}, 'UTC')
    WHEN 'weekly' THEN date_trunc('week', ${instant}, 'UTC')
    WHEN 'monthly' THEN date_trunc('month', ${instant}, 'UTC')
    ELSE to_timestamp(0) END`;

const sumOf = (table: string) => `
  coalesce((
    SELECT credits_nano_usd + CASE WHEN include_byok THEN byok_nano_usd ELSE 0 END FROM ${table} AS sums
    WHERE (sums.account_id, sums.scope_kind, sums.scope_id, sums.window_kind, sums.window_start)
      = (limits.account_id, limits.scope_kind, scope.id, limits.window_kind, current.window_start)
  ), 0)`;

/** More assignees of one guardrail are not shown. */
const assigneesMax = 1_000;

/** A guardrail's limit is one of each assignee that has spent or leased anything in the window. */
const text = `
  SELECT moment.at, budget.*
  FROM (SELECT now() AS at) AS moment
  LEFT JOIN LATERAL (
    SELECT scope_kind, scope.id AS scope_id, window_kind, window_start, limit_nano_usd, include_byok,
      out.leased, out.leases, out.held, ${sumOf('counters')} AS settled, ${sumOf('suspended')} AS suspended
    FROM limits
    CROSS JOIN LATERAL (SELECT ${windowStartOf('window_kind', 'moment.at')} AS window_start) AS current
    CROSS JOIN LATERAL (
      SELECT limits.scope_id AS id WHERE limits.scope_kind <> 'guardrail'
      UNION
      (SELECT used.scope_id FROM (
        SELECT account_id, scope_kind, scope_id, window_kind, window_start FROM counters
        UNION SELECT account_id, scope_kind, scope_id, window_kind, window_start FROM leases
        UNION SELECT account_id, scope_kind, scope_id, window_kind, window_start FROM suspended
      ) AS used
      WHERE used.account_id = $1 AND used.scope_kind = 'guardrail' AND limits.scope_kind = 'guardrail'
        AND split_part(used.scope_id, ':', 1) = $2
        AND (used.window_kind, used.window_start) = (limits.window_kind, current.window_start)
      ORDER BY 1 LIMIT ${String(assigneesMax)})
    ) AS scope
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE closed_at IS NULL) AS leases,
        coalesce(sum(one.amount), 0)::bigint AS leased,
        coalesce(sum(least(one.amount, held_nano_usd)), 0)::bigint AS held
      FROM leases AS lease
      CROSS JOIN LATERAL (
        SELECT greatest(0, granted_nano_usd - returned_nano_usd - counted_nano_usd) AS amount
      ) AS one
      WHERE (lease.account_id, lease.scope_kind, lease.scope_id, lease.window_kind, lease.window_start)
        = (limits.account_id, limits.scope_kind, scope.id, limits.window_kind, current.window_start)
    ) AS out
    WHERE account_id = $1 AND scope_id = $2
  ) AS budget ON true
  ORDER BY scope_kind, scope_id, window_kind`;

/**
 * Reads what a scope may spend, has spent and has out, in a single statement, so that usage which is settled
 * meanwhile is in both or in neither.
 */
export async function readBudgetProof(
  readModel: AccountReads,
  { accountId, scopeId }: { readonly accountId: string; readonly scopeId: string },
): Promise<{ at: string; budgets: BudgetFigures[] }> {
  const values = [accountId, scopeId];
  const rows = await readModel
    .forAccount(accountId)
    .query<BudgetRow>({ name: 'read-budget-proof', text, values });
  return budgetProof(rows);
}

/** At least one row: that of the instant. */
export function budgetProof(rows: readonly BudgetRow[]): { at: string; budgets: BudgetFigures[] } {
  const [first] = rows;
  if (!first) throw new Fault('internal', { message: 'there is no instant' });
  return {
    at: first.at.toISOString(),
    budgets: rows.flatMap((row) =>
      row.scope_kind === null ? [] : [figuresOf(row, row.scope_kind)],
    ),
  };
}

function figuresOf(row: BudgetRow, scopeKind: string): BudgetFigures {
  return {
    scopeKind,
    scopeId: row.scope_id,
    windowKind: row.window_kind,
    windowStart: row.window_start.toISOString(),
    limitNanoUsd: row.limit_nano_usd,
    includeByok: row.include_byok,
    settledNanoUsd: row.settled,
    suspendedNanoUsd: row.suspended,
    leasedNanoUsd: row.leased ?? undefined,
    leases: row.leases ?? undefined,
    heldNanoUsd: row.held ?? undefined,
  };
}
