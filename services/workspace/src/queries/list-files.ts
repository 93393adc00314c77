import type { AccountReads } from '@sluice/read-model';
import { exportIdPrefix } from '@sluice/workspace-files';
import { fileColumns, type FileRow } from './file-row.ts';
import type { Page } from './list-workspaces.ts';

export interface FilesOf {
  readonly accountId: string;
  readonly workspaceId: string;
  /** A part of the name, in any case. Empty: every file. */
  readonly namePart: string;
  /** Exports of analytics are files, too. */
  readonly includesExports: boolean;
}

const ofWorkspace = `account_id = $1 AND workspace_id = $2
  AND ($3 = '' OR position(lower($3) IN lower(name)) > 0)
  AND ($4 OR NOT starts_with(file_id, '${exportIdPrefix}'))`;

export interface FilePage extends Page {
  /** The page begins after this file. Empty: at the first. */
  readonly after: string;
  readonly isAscending: boolean;
}

/** Returns a page of the files, the latest first unless it is ascending. */
export async function listFiles(
  readModel: AccountReads,
  { accountId, workspaceId, namePart, includesExports, ...page }: FilesOf & FilePage,
): Promise<readonly FileRow[]> {
  const { offset, limit, after, isAscending } = page;
  const [beyond, direction] = isAscending ? ['>', 'ASC'] : ['<', 'DESC'];
  return await readModel.forAccount(accountId).query<FileRow>({
    name: `list-files-${direction}`,
    text: `SELECT ${fileColumns} FROM files WHERE ${ofWorkspace}
             AND ($7 = '' OR (created_at, file_id) ${beyond}
               (SELECT created_at, file_id FROM files WHERE file_id = $7))
           ORDER BY created_at ${direction}, file_id ${direction} LIMIT $6 OFFSET $5`,
    values: [accountId, workspaceId, namePart, includesExports, offset, limit, after],
  });
}

export async function countFiles(
  readModel: AccountReads,
  { accountId, workspaceId, namePart, includesExports }: FilesOf,
): Promise<number> {
  const [row] = await readModel.forAccount(accountId).query<{ count: bigint }>({
    name: 'count-files',
    text: `SELECT count(*) FROM files WHERE ${ofWorkspace}`,
    values: [accountId, workspaceId, namePart, includesExports],
  });
  return Number(row?.count ?? 0n);
}
