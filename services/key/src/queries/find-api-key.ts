import type { Queryable } from '@sluice/read-model';
import { apiKeyColumns, type ApiKeyRow } from './api-key-row.ts';

/** The key of that account; undefined when the account has none of that hash. */
export async function findApiKey(
  readModel: Queryable,
  { accountId, hash }: { readonly accountId: string; readonly hash: string },
): Promise<ApiKeyRow | undefined> {
  const [row] = await readModel.query<ApiKeyRow>({
    name: 'find-api-key',
    text: `SELECT ${apiKeyColumns} FROM api_keys WHERE account_id = $1 AND hash = $2`,
    values: [accountId, hash],
  });
  return row;
}
