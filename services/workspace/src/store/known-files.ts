import type { KnownState } from '@sluice/es';
import type { AccountReads } from '@sluice/read-model';
import type { WorkspaceFiles } from '../domain/workspace-files/state.ts';

interface Row {
  readonly revision: bigint;
  readonly isClosed: boolean;
  readonly files: Readonly<Record<string, number>> | null;
  readonly uploads: Readonly<Record<string, string>> | null;
}

/** Returns the files of a workspace as the read model has them; undefined if it has no event of them. */
export async function knownFiles(
  readModel: AccountReads,
  { accountId, workspaceId }: { readonly accountId: string; readonly workspaceId: string },
): Promise<KnownState<WorkspaceFiles> | undefined> {
  // One statement sees one moment: the rows are those of the revision.
  const [row] = await readModel.forAccount(accountId).query<Row>({
    name: 'known-files',
    text: `SELECT revision, is_closed AS "isClosed",
             (SELECT json_object_agg(file_id, bytes) FROM files
              WHERE account_id = $1 AND workspace_id = $2) AS files,
             (SELECT json_object_agg(file_id, begun_at) FROM file_uploads
              WHERE account_id = $1 AND workspace_id = $2) AS uploads
           FROM file_streams WHERE account_id = $1 AND workspace_id = $2`,
    values: [accountId, workspaceId],
  });
  if (!row) return undefined;
  const files = new Map(Object.entries(row.files ?? {}));
  const uploads = new Map(Object.entries(row.uploads ?? {}));
  const bytes = [...files.values()].reduce((sum, size) => sum + size, 0);
  return { revision: row.revision, state: { files, uploads, bytes, isClosed: row.isClosed } };
}
