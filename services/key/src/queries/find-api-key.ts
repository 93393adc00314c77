import type { AccountReads } from '@sluice/read-model';
import { type ApiKeyRow, selectApiKeys } from './api-key-row.ts';

/** The key of that account; undefined when the account has none of that hash. */
export async function findApiKey(
  readModel: AccountReads,
  { accountId, hash }: { readonly accountId: string; readonly hash: string },
): Promise<ApiKeyRow | undefined> {
  const [row] = await readModel.forAccount(accountId).query<ApiKeyRow>({
    name: 'find-api-key',
    text: `${selectApiKeys} WHERE key.account_id = $1 AND hash = $2`,
    values: [accountId, hash],
  });
  return row;
}
