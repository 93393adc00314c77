import { type AccountReads, type Page, readPage } from '@sluice/read-model';
import { byokCredentialColumns, type ByokCredentialRow } from './byok-credential-row.ts';

export interface ListByokCredentials {
  readonly accountId: string;
  readonly workspaceId: string;
  /** null: all of them. */
  readonly provider: string | null;
  readonly offset: number;
  readonly limit: number;
}

/** Reads a page of a workspace's credentials: by provider, prioritized before fallback, then in their order. */
export async function listByokCredentials(
  readModel: AccountReads,
  { accountId, workspaceId, provider, ...page }: ListByokCredentials,
): Promise<Page<ByokCredentialRow>> {
  return await readPage(readModel.forAccount(accountId), {
    ...page,
    name: 'byok-credentials',
    columns: byokCredentialColumns,
    from: `byok_credentials
      WHERE account_id = $1 AND workspace_id = $2 AND ($3::text IS NULL OR provider = $3)`,
    orderBy: 'provider, is_fallback, sort_order, credential_id',
    values: [accountId, workspaceId, provider],
  });
}
