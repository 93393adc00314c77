import type { AccountReads } from '@sluice/read-model';

/** Returns the phrases that the patterns of prompt injection pass over for an account. */
export async function allowedPhrases(
  readModel: AccountReads,
  accountId: string,
): Promise<readonly string[]> {
  const [row] = await readModel.forAccount(accountId).query<{ readonly phrases: string[] }>({
    name: 'allowed-phrases',
    text: 'SELECT phrases FROM allowed_phrases WHERE account_id = $1',
    values: [accountId],
  });
  return row?.phrases ?? [];
}
