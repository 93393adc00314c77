import type { AccountReads } from '@sluice/read-model';
import { destinationColumns, type DestinationRow } from './destination-row.ts';

/** The destination of that account; undefined when the account has none of that id. */
export async function findDestination(
  readModel: AccountReads,
  { accountId, destinationId }: { readonly accountId: string; readonly destinationId: string },
): Promise<DestinationRow | undefined> {
  const [row] = await readModel.forAccount(accountId).query<DestinationRow>({
    name: 'find-destination',
    text: `SELECT ${destinationColumns} FROM destinations
           WHERE account_id = $1 AND destination_id = $2`,
    values: [accountId, destinationId],
  });
  return row;
}
