import { requireAccepted } from '@sluice/errors';
import { type EventStore, systemContext } from '@sluice/es';
import { type Projection, streamReaction } from '@sluice/read-model';
import { derivedId } from '@sluice/clock-and-ids';
import type { Directory } from '../commands/directory.ts';
import { workspaceMembersEvents } from '../store/workspace-members-events.ts';

/**
 * Expels a member who was added while leaving the organization: the fact of the leave may have arrived
 * before the member was in the read model. Checks each member whom a person added; the directory
 * removes those whom it added.
 */
export function verifyNewMembers(
  eventStore: EventStore,
  directory: Pick<Directory, 'activeMembers'>,
): Projection {
  const handleMembers = workspaceMembersEvents.handler(eventStore);
  const facts = { projection: 'workspace.verify_new_members', version: 1 };
  return streamReaction(workspaceMembersEvents, facts, async (event, { id }) => {
    if (event.type !== 'WorkspaceMemberAdded' || event.data.manualRole === null) return;
    const { accountId, workspaceId, userId, changedAt: occurredAt } = event.data;
    if ((await directory.activeMembers(accountId, [userId])).length > 0) return;
    const commandId = derivedId('verify member', id);
    const values = { accountId, workspaceId, userIds: [userId], occurredAt };
    const command = { type: 'ExpelMembers', ...values } as const;
    const context = systemContext('workspace', { commandId, cause: 'verification', occurredAt });
    requireAccepted(await handleMembers(workspaceId, command, context));
  });
}
