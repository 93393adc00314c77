import type { Estimate } from '@sluice/protos/sluice/ledger/v1/ledger';
import type { AccountReads, Queryable } from '@sluice/read-model';

const open = `
  SELECT usage_id AS "usageId", account_id AS "accountId", model,
    coalesce(endpoint_id, '') AS "endpointId", upstream_id AS "upstreamId",
    suspended_nano_usd AS "suspendedNanoUsd"
  FROM (
    SELECT usage_id, suspended_nano_usd FROM estimates
    WHERE replica = $1 AND corrected_at IS NULL AND upstream_id <> ''
    ORDER BY suspended_nano_usd DESC, usage_id LIMIT $2
  ) AS estimate
  JOIN usage_facts USING (usage_id)
  ORDER BY suspended_nano_usd DESC, usage_id`;

/** The open estimates of a replica that their provider has a name for, what has most in suspense first. */
export async function listEstimates(
  readModel: Queryable,
  { replica, limit }: { readonly replica: string; readonly limit: number },
): Promise<readonly Estimate[]> {
  const values = [replica, limit];
  return await readModel.query<Estimate>({ name: 'list-estimates', text: open, values });
}

const one = `
  SELECT corrected_at IS NOT NULL AS "isCorrected" FROM estimates
  WHERE account_id = $1 AND usage_id = $2`;

/** Returns undefined if the account has no such estimate. */
export async function readEstimate(
  readModel: AccountReads,
  { accountId, usageId }: { readonly accountId: string; readonly usageId: string },
): Promise<{ readonly isCorrected: boolean } | undefined> {
  const values = [accountId, usageId];
  const [row] = await readModel.forAccount(accountId).query<{ isCorrected: boolean }>({
    name: 'read-estimate',
    text: one,
    values,
  });
  return row;
}
