import type { AccountReads } from '@sluice/read-model';
import { byokCredentialColumns, type ByokCredentialRow } from './byok-credential-row.ts';

/** The credential of that account; undefined when the account has none of that id. */
export async function findByokCredential(
  readModel: AccountReads,
  { accountId, credentialId }: { readonly accountId: string; readonly credentialId: string },
): Promise<ByokCredentialRow | undefined> {
  const [row] = await readModel.forAccount(accountId).query<ByokCredentialRow>({
    name: 'find-byok-credential',
    text: `SELECT ${byokCredentialColumns} FROM byok_credentials
           WHERE account_id = $1 AND credential_id = $2`,
    values: [accountId, credentialId],
  });
  return row;
}
