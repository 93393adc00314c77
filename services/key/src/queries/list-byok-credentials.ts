import type { AccountReads } from '@sluice/read-model';
import { byokCredentialColumns, type ByokCredentialRow } from './byok-credential-row.ts';

export interface ListByokCredentials {
  readonly accountId: string;
  readonly workspaceId: string;
  /** null: all of them. */
  readonly provider: string | null;
  readonly offset: number;
  readonly limit: number;
}

export interface ByokCredentialPage {
  readonly rows: readonly ByokCredentialRow[];
  /** The number of rows of the whole list. */
  readonly totalCount: bigint;
}

/** A page of a workspace's credentials: by provider, prioritised before fallback, then in their order. */
export async function listByokCredentials(
  readModel: AccountReads,
  { accountId, workspaceId, provider, offset, limit }: ListByokCredentials,
): Promise<ByokCredentialPage> {
  const scope = 'account_id = $1 AND workspace_id = $2 AND ($3::text IS NULL OR provider = $3)';
  const asked = [accountId, workspaceId, provider];
  const rows = await readModel.forAccount(accountId).query<ByokCredentialRow>({
    name: 'list-byok-credentials',
    text: `SELECT ${byokCredentialColumns} FROM byok_credentials WHERE ${scope}
           ORDER BY provider, is_fallback, sort_order, credential_id LIMIT $4 OFFSET $5`,
    values: [...asked, limit, offset],
  });
  const [counted] = await readModel.forAccount(accountId).query<{ count: bigint }>({
    name: 'count-byok-credentials',
    text: `SELECT count(*) FROM byok_credentials WHERE ${scope}`,
    values: asked,
  });
  return { rows, totalCount: counted?.count ?? 0n };
}
