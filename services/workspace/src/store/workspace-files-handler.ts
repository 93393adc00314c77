import { commandHandler, type EventStore } from '@sluice/es';
import { eventId, retryPause } from '@sluice/clock-and-ids';
import type { AccountReads } from '@sluice/read-model';
import { workspaceFiles } from '../domain/workspace-files/decide.ts';
import { knownFiles } from './known-files.ts';
import { workspaceFilesEvents } from './workspace-files-events.ts';

export type WorkspaceFilesHandler = ReturnType<typeof workspaceFilesHandler>;

/**
 * Handles the commands of files, those of each workspace under its id. Models write files without an end, so a command
 * begins with the rows of the read model and reads the events after them.
 */
export function workspaceFilesHandler(store: EventStore, readModel: AccountReads) {
  return commandHandler(workspaceFiles, workspaceFilesEvents, {
    store,
    eventId,
    retryPause,
    known: (_workspaceId, command) => knownFiles(readModel, command),
  });
}
