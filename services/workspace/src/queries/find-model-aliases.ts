import { type AccountReads, parseFoldedState } from '@sluice/read-model';

/** Returns the folded aliases of an account; undefined when it never had one. */
export async function findModelAliases(
  readModel: AccountReads,
  accountId: string,
): Promise<unknown> {
  const [row] = await readModel.forAccount(accountId).query<{ state: string }>({
    name: 'find-model-aliases',
    text: `SELECT state::text AS state FROM model_alias_states WHERE account_id = $1 AND id = $1`,
    values: [accountId],
  });
  return row && parseFoldedState(row.state);
}
