import { commandHandler, type EventStore } from '@sluice/es';
import { eventId, retryPause } from '@sluice/clock-and-ids';
import { workspaceFiles } from '../domain/workspace-files/decide.ts';
import { workspaceFilesEvents } from './workspace-files-events.ts';

export type WorkspaceFilesHandler = ReturnType<typeof workspaceFilesHandler>;

/** Handles the commands of files, those of each workspace under its id. */
export function workspaceFilesHandler(store: EventStore) {
  return commandHandler(workspaceFiles, workspaceFilesEvents, { store, eventId, retryPause });
}
