import type { AccountReads } from '@sluice/read-model';
import { type ApiKeyRow, selectSomeApiKeys } from './api-key-row.ts';

export interface ListApiKeys {
  readonly accountId: string;
  readonly workspaceId: string;
  readonly includeDisabled: boolean;
  readonly offset: number;
}

const pageRows = 100;

const page = selectSomeApiKeys(`
  SELECT * FROM api_keys
  WHERE account_id = $1 AND workspace_id = $2 AND kind = 'regular' AND (NOT disabled OR $3)
  ORDER BY created_at DESC, hash DESC LIMIT ${pageRows} OFFSET $4`);

/** A page of at most 100 regular keys of the workspace, newest first. */
export async function listApiKeys(
  readModel: AccountReads,
  { accountId, workspaceId, includeDisabled, offset }: ListApiKeys,
): Promise<readonly ApiKeyRow[]> {
  return await readModel.forAccount(accountId).query<ApiKeyRow>({
    name: 'list-api-keys',
    text: `${page} ORDER BY created_at DESC, hash DESC`,
    values: [accountId, workspaceId, includeDisabled, offset],
  });
}
