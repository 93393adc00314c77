import { commandHandler, type EventStore, loadAggregate } from '@sluice/es';
import { eventId, retryPause } from '@sluice/clock-and-ids';
import { workspace } from '../domain/workspace/decide.ts';
import { workspaceEvents } from './workspace-events.ts';

export type WorkspaceHandler = ReturnType<typeof workspaceHandler>;

/** Handles the commands of workspaces, each workspace under its id. */
export function workspaceHandler(store: EventStore) {
  return commandHandler(workspace, workspaceEvents, { store, eventId, retryPause });
}

/** The workspace as it is in the log now, and whether that command has made an event of it. */
export function loadWorkspace(store: EventStore, workspaceId: string, commandId?: string) {
  return loadAggregate(store, workspace, workspaceEvents, workspaceId, commandId);
}
