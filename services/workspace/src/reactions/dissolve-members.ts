import { requireAccepted } from '@sluice/errors';
import type { EventStore } from '@sluice/es';
import { type Projection, streamReaction } from '@sluice/read-model';
import { workspaceEvents } from '../store/workspace-events.ts';
import { workspaceMembersEvents } from '../store/workspace-members-events.ts';
import { deletedWorkspace } from './deleted-workspace.ts';

/** Removes all members of a deleted workspace. */
export function dissolveMembers(eventStore: EventStore): Projection {
  const handleMembers = workspaceMembersEvents.handler(eventStore);
  const facts = { projection: 'workspace.dissolve_members', version: 1 };
  return streamReaction(workspaceEvents, facts, async (event, recorded) => {
    const deleted = await deletedWorkspace(eventStore, event, recorded);
    if (!deleted) return;
    const { values, contextOf } = deleted;
    const command = { type: 'DissolveMembers', ...values } as const;
    const context = contextOf('dissolve members');
    requireAccepted(await handleMembers(values.workspaceId, command, context));
  });
}
