import { requireAccepted } from '@sluice/errors';
import { type EventStore, type RecordedEvent, systemContext } from '@sluice/es';
import type { Projection } from '@sluice/read-model';
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
  async function verify(recorded: RecordedEvent): Promise<void> {
    const event = workspaceMembersEvents.decode(recorded);
    if (event.type !== 'WorkspaceMemberAdded' || event.data.manualRole === null) return;
    const { accountId, workspaceId, userId, changedAt: occurredAt } = event.data;
    if ((await directory.activeMembers(accountId, [userId])).length > 0) return;
    const commandId = derivedId('verify member', recorded.id);
    requireAccepted(
      await handleMembers(
        workspaceId,
        { type: 'ExpelMembers', accountId, workspaceId, userIds: [userId], occurredAt },
        systemContext('workspace', { commandId, cause: 'verification', occurredAt }),
      ),
    );
  }
  return {
    projection: 'workspace.verify_new_members',
    version: 1,
    streamPrefixes: [workspaceMembersEvents.streamPrefix],
    tables: [],
    async apply(_transaction, events) {
      for (const recorded of events) await verify(recorded);
    },
  };
}
