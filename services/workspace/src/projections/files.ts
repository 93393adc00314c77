import type { RecordedEvent } from '@sluice/es';
import { eachInOrder, type Projection, type Queryable } from '@sluice/read-model';
import type { WorkspaceFilesEvent } from '../domain/workspace-files/events.ts';
import { workspaceFilesEvents } from '../store/workspace-files-events.ts';

/** Keeps the table `files`: one row per file that was added and not deleted. */
export const filesProjection: Projection = {
  projection: 'workspace.files',
  version: 1,
  streamPrefixes: [workspaceFilesEvents.streamPrefix],
  tables: ['files'],
  apply: applyToFiles,
};

async function applyToFiles(
  transaction: Queryable,
  events: readonly RecordedEvent[],
): Promise<void> {
  await eachInOrder(events, (recorded) =>
    apply(transaction, workspaceFilesEvents.decode(recorded)),
  );
}

async function apply(transaction: Queryable, event: WorkspaceFilesEvent): Promise<void> {
  switch (event.type) {
    case 'FileAdded': {
      const { fileId, accountId, workspaceId, name, mediaType, bytes, sha256, addedAt } =
        event.data;
      await transaction.query({
        name: 'add-file',
        text: `INSERT INTO files
                 (file_id, account_id, workspace_id, name, media_type, bytes, sha256, created_at)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
               ON CONFLICT (file_id) DO NOTHING`,
        values: [fileId, accountId, workspaceId, name, mediaType, bytes, sha256, addedAt],
      });
      return;
    }
    case 'FileDeleted':
      await transaction.query({
        name: 'delete-file',
        text: 'DELETE FROM files WHERE file_id = $1',
        values: [event.data.fileId],
      });
      return;
    case 'FileUploadBegun':
    case 'FileUploadAbandoned':
    case 'WorkspaceFilesClosed':
  }
}
