import type { AccountReads } from '@sluice/read-model';
import { fileColumns, type FileRow } from './file-row.ts';

export interface FileReference {
  readonly accountId: string;
  readonly workspaceId: string;
  readonly fileId: string;
}

/** The file of that workspace; undefined when the workspace has none of that id. */
export async function findFile(
  readModel: AccountReads,
  { accountId, workspaceId, fileId }: FileReference,
): Promise<FileRow | undefined> {
  const [row] = await readModel.forAccount(accountId).query<FileRow>({
    name: 'find-file',
    text: `SELECT ${fileColumns} FROM files
           WHERE account_id = $1 AND workspace_id = $2 AND file_id = $3`,
    values: [accountId, workspaceId, fileId],
  });
  return row;
}
