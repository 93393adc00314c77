import type { AccountReads } from '@sluice/read-model';
import { fileColumns, type FileRow } from './file-row.ts';
import type { Page } from './list-workspaces.ts';

export interface FilesOf {
  readonly accountId: string;
  readonly workspaceId: string;
  /** A part of the name, in any case. Empty: every file. */
  readonly namePart: string;
}

const ofWorkspace = `account_id = $1 AND workspace_id = $2
  AND ($3 = '' OR position(lower($3) IN lower(name)) > 0)`;

export interface FilePage extends Page {
  /** The page begins after this file. Empty: at the first. */
  readonly after: string;
  readonly isAscending: boolean;
}

/** Returns a page of the files, the latest first unless it is ascending. */
export async function listFiles(
  readModel: AccountReads,
  { accountId, workspaceId, namePart, offset, limit, after, isAscending }: FilesOf & FilePage,
): Promise<readonly FileRow[]> {
  const [beyond, direction] = isAscending ? ['>', 'ASC'] : ['<', 'DESC'];
  return await readModel.forAccount(accountId).query<FileRow>({
    name: `list-files-${direction}`,
    text: `SELECT ${fileColumns} FROM files WHERE ${ofWorkspace}
             AND ($6 = '' OR (created_at, file_id) ${beyond}
               (SELECT created_at, file_id FROM files WHERE file_id = $6))
           ORDER BY created_at ${direction}, file_id ${direction} LIMIT $5 OFFSET $4`,
    values: [accountId, workspaceId, namePart, offset, limit, after],
  });
}

export async function countFiles(
  readModel: AccountReads,
  { accountId, workspaceId, namePart }: FilesOf,
): Promise<number> {
  const [row] = await readModel.forAccount(accountId).query<{ count: bigint }>({
    name: 'count-files',
    text: `SELECT count(*) FROM files WHERE ${ofWorkspace}`,
    values: [accountId, workspaceId, namePart],
  });
  return Number(row?.count ?? 0n);
}
