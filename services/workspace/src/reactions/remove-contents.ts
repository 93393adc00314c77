import { Fault } from '@sluice/errors';
import { type FileStore, StoreUnavailable } from '@sluice/file-store';
import { type Projection, streamReaction } from '@sluice/read-model';
import { workspaceFilesEvents } from '../store/workspace-files-events.ts';

/**
 * Removes the contents of files that were deleted, and of uploads that were abandoned. The checkpoint moves when they
 * are gone: a process that died before removes them again.
 */
export function removeContents(store: Pick<FileStore, 'remove'>): Projection {
  const facts = { projection: 'workspace.remove_contents', version: 1 };
  return streamReaction(workspaceFilesEvents, facts, async (event) => {
    if (event.type !== 'FileDeleted' && event.type !== 'FileUploadAbandoned') return;
    try {
      await store.remove(event.data);
    } catch (error) {
      // It is tried again until the store answers.
      throw error instanceof StoreUnavailable ? new Fault('unavailable', { cause: error }) : error;
    }
  });
}
