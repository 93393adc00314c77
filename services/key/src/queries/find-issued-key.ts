import type { Queryable } from '@sluice/read-model';

/** The hash of the key that a command of that account has issued; undefined when there is none. */
export async function findIssuedKey(
  readModel: Queryable,
  { accountId, commandId }: { readonly accountId: string; readonly commandId: string },
): Promise<string | undefined> {
  const [row] = await readModel.query<{ hash: string }>({
    name: 'find-issued-key',
    text: 'SELECT hash FROM api_keys WHERE account_id = $1 AND issue_command_id = $2 LIMIT 1',
    values: [accountId, commandId],
  });
  return row?.hash;
}
