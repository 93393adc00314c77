import type { AccountReads, Queryable } from '@sluice/read-model';
import { destinationColumns, type DestinationRow } from './destination-row.ts';

export interface UsableDestinationRow extends DestinationRow {
  readonly isBroadcastEnabled: boolean;
  /** null: the workspace sends nothing. */
  readonly usableSince: Date | null;
}

export interface ListUsable {
  /** Empty: all accounts. */
  readonly accountId: string;
  /** null: all workspaces. */
  readonly workspaceId: string | null;
  readonly afterDestinationId: string;
  readonly limit: number;
}

/** Returns enabled destinations after that one, by id. A deleted workspace has its switch off. */
export async function usableDestinations(
  readModel: AccountReads & Queryable,
  { accountId, workspaceId, afterDestinationId, limit }: ListUsable,
): Promise<readonly UsableDestinationRow[]> {
  const reads = accountId === '' ? readModel : readModel.forAccount(accountId);
  return await reads.query<UsableDestinationRow>({
    name: 'usable-destinations',
    text: `SELECT ${destinationColumns},
             coalesce(is_observability_broadcast_enabled, false) AS "isBroadcastEnabled",
             CASE WHEN is_observability_broadcast_enabled THEN
               greatest(destinations.created_at, enabled_since, broadcasts_since) END AS "usableSince"
           FROM destinations LEFT JOIN workspaces
             ON workspaces.account_id = destinations.account_id
               AND workspaces.workspace_id = destinations.workspace_id
           WHERE enabled AND ($1 = '' OR destinations.account_id = $1)
             AND ($2::uuid IS NULL OR destinations.workspace_id = $2) AND destination_id > $3
           ORDER BY destination_id LIMIT $4`,
    values: [accountId, workspaceId, afterDestinationId, limit],
  });
}

/** True when that config is the one of an enabled destination of the account. */
export async function isUsableConfig(
  readModel: AccountReads,
  place: { readonly accountId: string; readonly destinationId: string; readonly secretId: string },
): Promise<boolean> {
  const { accountId, destinationId, secretId } = place;
  const rows = await readModel.forAccount(accountId).query({
    name: 'is-usable-destination-config',
    text: `SELECT FROM destinations WHERE account_id = $1 AND destination_id = $2
             AND secret_id = $3 AND enabled`,
    values: [accountId, destinationId, secretId],
  });
  return rows.length > 0;
}
