import type { Queryable } from '@sluice/read-model';
import { apiKeyColumns, type ApiKeyRow } from './api-key-row.ts';

/** Those of the account's regular keys that there are. */
export async function findApiKeys(
  readModel: Queryable,
  { accountId, hashes }: { readonly accountId: string; readonly hashes: readonly string[] },
): Promise<readonly ApiKeyRow[]> {
  return await readModel.query<ApiKeyRow>({
    name: 'find-api-keys',
    text: `SELECT ${apiKeyColumns} FROM api_keys
           WHERE account_id = $1 AND hash = ANY($2) AND kind = 'regular'`,
    values: [accountId, hashes],
  });
}
