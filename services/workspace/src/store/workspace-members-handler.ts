import { commandHandler, type EventStore, loadAggregate } from '@sluice/es';
import { eventId, retryPause } from '@sluice/clock-and-ids';
import { workspaceMembers } from '../domain/workspace-members/decide.ts';
import { workspaceMembersEvents } from './workspace-members-events.ts';

export type WorkspaceMembersHandler = ReturnType<typeof workspaceMembersHandler>;

/** Handles the commands of members, those of each workspace under its id. */
export function workspaceMembersHandler(store: EventStore) {
  return commandHandler(workspaceMembers, workspaceMembersEvents, { store, eventId, retryPause });
}

/** The members as they are in the log now. */
export function loadMembers(store: EventStore, workspaceId: string) {
  return loadAggregate(store, workspaceMembers, workspaceMembersEvents, workspaceId);
}
