import { Fault } from '@sluice/errors';
import type { RecordedEvent } from '@sluice/es';
import { type FileStore, StoreUnavailable } from '@sluice/file-store';
import type { Projection } from '@sluice/read-model';
import { workspaceFilesEvents } from '../store/workspace-files-events.ts';

/**
 * Removes the contents of files that were deleted, and of uploads that were abandoned. The checkpoint moves when they
 * are gone: a process that died before removes them again.
 */
export function removeContents(store: Pick<FileStore, 'remove'>): Projection {
  async function remove(recorded: RecordedEvent): Promise<void> {
    const event = workspaceFilesEvents.decode(recorded);
    if (event.type !== 'FileDeleted' && event.type !== 'FileUploadAbandoned') return;
    try {
      await store.remove(event.data);
    } catch (error) {
      // It is tried again until the store answers.
      throw error instanceof StoreUnavailable ? new Fault('unavailable', { cause: error }) : error;
    }
  }
  return {
    projection: 'workspace.remove_contents',
    version: 1,
    streamPrefixes: [workspaceFilesEvents.streamPrefix],
    tables: [],
    async apply(_transaction, events) {
      for (const recorded of events) await remove(recorded);
    },
  };
}
