import type { AccountReads } from '@sluice/read-model';
import { type ApiKeyRow, selectApiKeys } from './api-key-row.ts';

/** Finds regular keys of the account. Hashes without one are left out. */
export async function findApiKeys(
  readModel: AccountReads,
  { accountId, hashes }: { readonly accountId: string; readonly hashes: readonly string[] },
): Promise<readonly ApiKeyRow[]> {
  return await readModel.forAccount(accountId).query<ApiKeyRow>({
    name: 'find-api-keys',
    text: `${selectApiKeys}
           WHERE key.account_id = $1 AND hash = ANY($2) AND kind = 'regular'`,
    values: [accountId, hashes],
  });
}
