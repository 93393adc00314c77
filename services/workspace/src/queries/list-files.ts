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

/** A page of the files, the latest first. */
export async function listFiles(
  readModel: AccountReads,
  { accountId, workspaceId, namePart, offset, limit }: FilesOf & Page,
): Promise<readonly FileRow[]> {
  return await readModel.forAccount(accountId).query<FileRow>({
    name: 'list-files',
    text: `SELECT ${fileColumns} FROM files WHERE ${ofWorkspace}
           ORDER BY created_at DESC, file_id LIMIT $5 OFFSET $4`,
    values: [accountId, workspaceId, namePart, offset, limit],
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
