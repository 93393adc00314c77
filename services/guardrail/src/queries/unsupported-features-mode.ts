import type { AccountReads } from '@sluice/read-model';

/** Returns the mode of an account for features that nothing serves; undefined if it has set none. */
export async function unsupportedFeaturesMode(
  readModel: AccountReads,
  accountId: string,
): Promise<string | undefined> {
  const [row] = await readModel.forAccount(accountId).query<{ readonly mode: string }>({
    name: 'unsupported-features-mode',
    text: 'SELECT mode FROM unsupported_features WHERE account_id = $1',
    values: [accountId],
  });
  return row?.mode;
}
