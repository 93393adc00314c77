import type { AccountReads } from '@sluice/read-model';
import {
  type BudgetFigures,
  budgetProof,
  type BudgetRow,
  windowStartOf,
} from './read-budget-proof.ts';

export interface PastBudgetQuestion {
  readonly accountId: string;
  readonly scopeId: string;
  /** ISO 8601 UTC. */
  readonly at: string;
}

/** Limits as they were at the instant, of credits: the sum of those that were counted by then. */
const limitsThen = `
  SELECT scope_kind, scope_id, window_kind, text::bigint AS limit_nano_usd, include_byok
  FROM (
    SELECT DISTINCT ON (scope_kind) * FROM limit_history
    WHERE account_id = $1 AND scope_id = $2 AND set_at <= moment.at
    ORDER BY scope_kind, revision DESC
  ) AS newest CROSS JOIN LATERAL jsonb_each_text(limits) AS each (window_kind, text)
  UNION ALL
  SELECT 'account', account_id, 'lifetime', sum(amount_nano_usd)::bigint, false
  FROM credits WHERE account_id = $1 AND $1 = $2 AND counted_at <= moment.at GROUP BY account_id`;

/** Whose spend a fact is of, as far as the limit is concerned. */
const scopesOfFact = `
  SELECT CASE limits.scope_kind
    WHEN 'account' THEN fact.account_id WHEN 'key' THEN fact.key_hash ELSE fact.workspace_id
  END AS id WHERE limits.scope_kind <> 'guardrail'
  UNION ALL
  SELECT guardrail FROM unnest(fact.guardrail_scopes) AS guardrail
  WHERE limits.scope_kind = 'guardrail'`;

/** The cost of an own credential counts where the limit includes it; its fee always counts. */
const isCounted = `(limits.include_byok OR NOT fact.is_byok)`;

/** A correction or an expiry that came later is not in it yet: what it changed still is. */
const spentThen = `
  SELECT scope.id, (
      coalesce(sum(CASE WHEN corrected_at > moment.at
        THEN estimated_cost_nano_usd ELSE fact.cost_nano_usd END) FILTER (WHERE ${isCounted}), 0)
      + sum(fact.fee_nano_usd)
    )::bigint AS settled,
    coalesce(sum(suspended_nano_usd
      + CASE WHEN expired_at > moment.at THEN expired_nano_usd ELSE 0 END) FILTER (
      WHERE ${isCounted} AND NOT coalesce(estimate.corrected_at <= moment.at, false)
    ), 0)::bigint AS suspended
  FROM usage_facts AS fact
  CROSS JOIN LATERAL (${scopesOfFact}) AS scope
  LEFT JOIN (SELECT usage_id, suspended_nano_usd, expired_nano_usd, expired_at, corrected_at
    FROM estimates) AS estimate
    USING (usage_id)
  LEFT JOIN (SELECT usage_id, estimated_cost_nano_usd FROM corrections) AS correction USING (usage_id)
  WHERE fact.account_id = $1 AND split_part(scope.id, ':', 1) = $2
    AND fact.counted_at <= moment.at
    AND ${windowStartOf('limits.window_kind', 'fact.admitted_at')} = current.window_start
  GROUP BY scope.id`;

const text = `
  SELECT moment.at, budget.*
  FROM (SELECT $3::timestamptz AS at) AS moment
  LEFT JOIN LATERAL (
    SELECT scope_kind, coalesce(spent.id, scope_id) AS scope_id, window_kind, window_start,
      limit_nano_usd, include_byok, coalesce(settled, 0) AS settled, coalesce(suspended, 0) AS suspended,
      NULL::bigint AS leased, NULL::bigint AS leases, NULL::bigint AS held
    FROM (${limitsThen}) AS limits
    CROSS JOIN LATERAL (SELECT ${windowStartOf('window_kind', 'moment.at')} AS window_start) AS current
    LEFT JOIN LATERAL (${spentThen}) AS spent ON true
  ) AS budget ON true
  ORDER BY scope_kind, scope_id, window_kind`;

/**
 * Returns what a scope could spend at a past instant and what was settled by then, computed from facts and from
 * the limits of the time. What was out on leases then is not kept.
 */
export async function readPastBudget(
  readModel: AccountReads,
  { accountId, scopeId, at }: PastBudgetQuestion,
): Promise<{ at: string; budgets: BudgetFigures[] }> {
  const values = [accountId, scopeId, at];
  const rows = await readModel
    .forAccount(accountId)
    .query<BudgetRow>({ name: 'read-past-budget', text, values });
  return budgetProof(rows);
}
