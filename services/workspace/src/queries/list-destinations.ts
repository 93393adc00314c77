import { type AccountReads, type Page, readPage } from '@sluice/read-model';
import { destinationColumns, type DestinationRow } from './destination-row.ts';

export interface ListDestinations {
  readonly accountId: string;
  readonly workspaceId: string;
  readonly offset: number;
  readonly limit: number;
}

/** Reads a page of the destinations of a workspace, the newest first. */
export async function listDestinations(
  readModel: AccountReads,
  { accountId, workspaceId, ...page }: ListDestinations,
): Promise<Page<DestinationRow>> {
  return await readPage(readModel.forAccount(accountId), {
    ...page,
    name: 'destinations',
    columns: destinationColumns,
    from: 'destinations WHERE account_id = $1 AND workspace_id = $2',
    orderBy: 'created_at DESC, destination_id DESC',
    values: [accountId, workspaceId],
  });
}
