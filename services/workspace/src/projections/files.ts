import type { RecordedEvent } from '@sluice/es';
import { eachInOrder, type Projection, type Queryable } from '@sluice/read-model';
import type { WorkspaceFilesEvent } from '../domain/workspace-files/events.ts';
import { workspaceFilesEvents } from '../store/workspace-files-events.ts';

/**
 * Keeps the files that were added and not deleted, the uploads that have not ended, and the revision of the stream that
 * these rows are of.
 */
export const filesProjection: Projection = {
  projection: 'workspace.files',
  version: 2,
  streamPrefixes: [workspaceFilesEvents.streamPrefix],
  tables: ['files', 'file_uploads', 'file_streams'],
  apply: applyToFiles,
};

async function applyToFiles(
  transaction: Queryable,
  events: readonly RecordedEvent[],
): Promise<void> {
  // Events are sent one behind the other, so each of them is one statement.
  await eachInOrder(events, async (recorded) => {
    const event = workspaceFilesEvents.decode(recorded);
    const { accountId, workspaceId } = event.data;
    const isClosed = event.type === 'WorkspaceFilesClosed';
    const { name, then, values } = changeOf(event);
    await transaction.query({
      name,
      text: `${noteRevision} ${then}`,
      values: [workspaceId, accountId, recorded.revision, isClosed, ...values],
    });
  });
}

/** Notes the revision. Then `noted` has a row, unless the tables have the event already. */
const noteRevision = `WITH noted AS (
  INSERT INTO file_streams AS known (workspace_id, account_id, revision, is_closed)
  VALUES ($1, $2, $3, $4)
  ON CONFLICT (workspace_id) DO UPDATE
    SET revision = excluded.revision, is_closed = known.is_closed OR excluded.is_closed
    WHERE known.revision < excluded.revision
  RETURNING workspace_id, account_id
)`;

interface Change {
  readonly name: string;
  readonly then: string;
  readonly values: readonly (string | number)[];
}

function changeOf({ type, data }: WorkspaceFilesEvent): Change {
  switch (type) {
    case 'FileUploadBegun':
      return {
        name: 'begin-upload',
        then: `INSERT INTO file_uploads (file_id, account_id, workspace_id, begun_at)
               SELECT $5, account_id, workspace_id, $6 FROM noted ON CONFLICT (file_id) DO NOTHING`,
        values: [data.fileId, data.begunAt],
      };
    case 'FileAdded':
      return {
        name: 'add-file',
        then: `, ended AS (DELETE FROM file_uploads USING noted WHERE file_id = $5)
               INSERT INTO files
                 (file_id, account_id, workspace_id, name, media_type, bytes, sha256, created_at)
               SELECT $5, account_id, workspace_id, $6, $7, $8, $9, $10 FROM noted
               ON CONFLICT (file_id) DO NOTHING`,
        values: [data.fileId, data.name, data.mediaType, data.bytes, data.sha256, data.addedAt],
      };
    case 'FileUploadAbandoned':
      return {
        name: 'abandon-upload',
        then: 'DELETE FROM file_uploads USING noted WHERE file_id = $5',
        values: [data.fileId],
      };
    case 'FileDeleted':
      return {
        name: 'delete-file',
        then: 'DELETE FROM files USING noted WHERE file_id = $5',
        values: [data.fileId],
      };
    case 'WorkspaceFilesClosed':
      return { name: 'close-files', then: 'SELECT workspace_id FROM noted', values: [] };
  }
}
