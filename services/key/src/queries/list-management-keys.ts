import type { AccountReads } from '@sluice/read-model';
import { type ApiKeyRow, selectSomeApiKeys } from './api-key-row.ts';

export interface ManagementKeyPage {
  readonly keys: readonly ApiKeyRow[];
  /** The number of rows of all pages. */
  readonly totalCount: number;
}

const pageRows = 100;

const page = selectSomeApiKeys(`
  SELECT * FROM api_keys WHERE account_id = $1 AND kind = 'management'
  ORDER BY created_at DESC, hash DESC LIMIT ${pageRows} OFFSET $2`);

/** Reads a page of at most 100 management keys of the account, newest first. */
export async function listManagementKeys(
  readModel: AccountReads,
  { accountId, offset }: { readonly accountId: string; readonly offset: number },
): Promise<ManagementKeyPage> {
  const keys = await readModel.forAccount(accountId).query<ApiKeyRow>({
    name: 'list-management-keys',
    text: `${page} ORDER BY created_at DESC, hash DESC`,
    values: [accountId, offset],
  });
  const [counted] = await readModel.forAccount(accountId).query<{ total: number }>({
    name: 'count-management-keys',
    text: `SELECT count(*)::int AS total FROM api_keys WHERE account_id = $1 AND kind = 'management'`,
    values: [accountId],
  });
  return { keys, totalCount: counted?.total ?? 0 };
}
