import { aggregateEvents } from '@sluice/boot/aggregate-events';
import { workspaceMembers } from '../domain/workspace-members/decide.ts';
import { workspaceMembersStream } from '../domain/workspace-members/events.ts';

/** The events of members, those of each workspace under its id. */
export const workspaceMembersEvents = aggregateEvents(workspaceMembers, workspaceMembersStream);
export type WorkspaceMembersHandler = ReturnType<typeof workspaceMembersEvents.handler>;
