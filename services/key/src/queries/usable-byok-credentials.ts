import type { AccountReads } from '@sluice/read-model';
import { byokCredentialColumns, type ByokCredentialRow } from './byok-credential-row.ts';

/** A credential that may be called with, and the name of its secret. */
export interface UsableCredentialRow extends ByokCredentialRow {
  readonly secretId: string;
}

const columns = `${byokCredentialColumns}, secret_id AS "secretId"`;

/** Returns the credentials of a workspace that may be used, in the order of the public list. */
export async function usableByokCredentials(
  readModel: AccountReads,
  { accountId, workspaceId }: { readonly accountId: string; readonly workspaceId: string },
): Promise<readonly UsableCredentialRow[]> {
  return await readModel.forAccount(accountId).query<UsableCredentialRow>({
    name: 'usable-byok-credentials',
    text: `SELECT ${columns} FROM byok_credentials
           WHERE account_id = $1 AND workspace_id = $2 AND NOT disabled
           ORDER BY provider COLLATE "C", is_fallback, sort_order, credential_id`,
    values: [accountId, workspaceId],
  });
}

/** True when that secret is the one of an enabled credential of the account. */
export async function isUsableSecret(
  readModel: AccountReads,
  place: { readonly accountId: string; readonly credentialId: string; readonly secretId: string },
): Promise<boolean> {
  const { accountId, credentialId, secretId } = place;
  const rows = await readModel.forAccount(accountId).query({
    name: 'is-usable-byok-secret',
    text: `SELECT FROM byok_credentials WHERE account_id = $1 AND credential_id = $2
             AND secret_id = $3 AND NOT disabled`,
    values: [accountId, credentialId, secretId],
  });
  return rows.length > 0;
}
