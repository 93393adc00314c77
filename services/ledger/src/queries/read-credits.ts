import type { AccountReads } from '@sluice/read-model';

export interface AccountCredits {
  readonly totalCreditsNanoUsd: bigint;
  readonly totalUsageNanoUsd: bigint;
  readonly hasPurchased: boolean;
  /** All that was ever bought, whatever of it was refunded. */
  readonly purchasedNanoUsd: bigint;
  /** Requests to free models in the UTC day of now. */
  readonly freeRequestsToday: bigint;
}

const text = `
  SELECT
    (SELECT coalesce(sum(amount_nano_usd), 0)::bigint FROM credits WHERE account_id = $1)
      AS total_credits,
    (SELECT coalesce(sum(credits_nano_usd), 0)::bigint FROM counters
      WHERE account_id = $1 AND scope_kind = 'account' AND scope_id = $1 AND window_kind = 'lifetime')
      AS total_usage,
    EXISTS (SELECT FROM credits WHERE account_id = $1 AND entry_kind = 'purchase')
      AS has_purchased,
    (SELECT coalesce(sum(amount_nano_usd), 0)::bigint FROM credits
      WHERE account_id = $1 AND entry_kind = 'purchase')
      AS purchased,
    (SELECT coalesce(sum(credits_nano_usd), 0)::bigint FROM counters
      WHERE account_id = $1 AND scope_kind = 'free_requests' AND scope_id = $1
        AND window_kind = 'daily' AND window_start = date_trunc('day', now(), 'UTC'))
      AS free_requests`;

/** All credits and all spend of an account, in one snapshot; zeros for one that has neither. */
export async function readCredits(
  readModel: AccountReads,
  accountId: string,
): Promise<AccountCredits> {
  const [row] = await readModel.forAccount(accountId).query<{
    total_credits: bigint;
    total_usage: bigint;
    has_purchased: boolean;
    purchased: bigint;
    free_requests: bigint;
  }>({ name: 'read-credits', text, values: [accountId] });
  return {
    totalCreditsNanoUsd: row?.total_credits ?? 0n,
    totalUsageNanoUsd: row?.total_usage ?? 0n,
    hasPurchased: row?.has_purchased ?? false,
    purchasedNanoUsd: row?.purchased ?? 0n,
    freeRequestsToday: row?.free_requests ?? 0n,
  };
}
