import type { AccountReads } from '@sluice/read-model';
import type { AccountCredits } from './read-credits.ts';

/** The amounts that `amountsOf` returns for a fact. */
const creditsOfFact = 'CASE WHEN fact.is_byok THEN fact.fee_nano_usd ELSE fact.cost_nano_usd END';
const byokOfFact = 'CASE WHEN fact.is_byok THEN fact.cost_nano_usd ELSE 0 END';
/** The difference that a correction made to the cost. A fee stays. */
const corrected = 'correction.cost_nano_usd - correction.estimated_cost_nano_usd';

/**
 * Selects what was counted of an account ($1) after an instant ($2): the amounts of later facts, and the differences of
 * later corrections. It is as much as was counted since, and not as there is.
 */
export const countedSince = `
  SELECT fact.key_hash, fact.admitted_at, ${creditsOfFact} AS credits, ${byokOfFact} AS byok
  FROM usage_facts AS fact
  WHERE fact.account_id = $1 AND fact.counted_at > $2
  UNION ALL
  SELECT fact.key_hash, fact.admitted_at,
    CASE WHEN fact.is_byok THEN 0 ELSE ${corrected} END,
    CASE WHEN fact.is_byok THEN ${corrected} ELSE 0 END
  FROM (
    SELECT usage_id, cost_nano_usd, estimated_cost_nano_usd FROM corrections
    WHERE account_id = $1 AND corrected_at > $2
  ) AS correction
  JOIN usage_facts AS fact USING (usage_id)
  WHERE fact.account_id = $1 AND fact.counted_at <= $2`;

const bought = `FROM credits
      WHERE account_id = $1 AND counted_at <= $2 AND entry_kind = 'purchase'`;

const text = `
  SELECT
    (SELECT coalesce(sum(amount_nano_usd), 0)::bigint FROM credits
      WHERE account_id = $1 AND counted_at <= $2) AS total_credits,
    (SELECT coalesce(sum(credits_nano_usd), 0) FROM counters
      WHERE account_id = $1 AND scope_kind = 'account' AND scope_id = $1 AND window_kind = 'lifetime')::bigint
      - (SELECT coalesce(sum(credits), 0) FROM (${countedSince}) AS later)::bigint AS total_usage,
    EXISTS (SELECT ${bought}) AS has_purchased,
    (SELECT coalesce(sum(amount_nano_usd), 0)::bigint ${bought}) AS purchased`;

/** Returns the credits and the spend of an account that were counted by an instant, in one snapshot. */
export async function readPastCredits(
  readModel: AccountReads,
  { accountId, at }: { readonly accountId: string; readonly at: string },
): Promise<Omit<AccountCredits, 'freeRequestsToday'>> {
  const [row] = await readModel.forAccount(accountId).query<{
    total_credits: bigint;
    total_usage: bigint;
    has_purchased: boolean;
    purchased: bigint;
  }>({ name: 'read-past-credits', text, values: [accountId, at] });
  return {
    totalCreditsNanoUsd: row?.total_credits ?? 0n,
    totalUsageNanoUsd: row?.total_usage ?? 0n,
    hasPurchased: row?.has_purchased ?? false,
    purchasedNanoUsd: row?.purchased ?? 0n,
  };
}
