import type { FileKey } from '@sluice/file-store';
import type { Queryable } from '@sluice/read-model';

/** Returns the oldest uploads of all accounts that began before a time and have not ended. */
export async function lapsedUploads(
  database: Queryable,
  { begunBefore, limit }: { readonly begunBefore: Date; readonly limit: number },
): Promise<readonly FileKey[]> {
  return await database.query<FileKey>({
    name: 'lapsed-uploads',
    text: `SELECT account_id AS "accountId", workspace_id AS "workspaceId", file_id AS "fileId"
           FROM file_uploads WHERE begun_at < $1 ORDER BY begun_at, file_id LIMIT $2`,
    values: [begunBefore, limit],
  });
}
