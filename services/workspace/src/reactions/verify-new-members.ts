import { isRejection, rejectionToFault } from '@sluice/errors';
import type { EventStore, RecordedEvent } from '@sluice/es';
import type { Projection } from '@sluice/read-model';
import { derivedId } from '@sluice/clock-and-ids';
import type { Directory } from '../commands/directory.ts';
import {
  workspaceMembersEvents,
  workspaceMembersStreamPrefix,
} from '../store/workspace-members-events.ts';
import { workspaceMembersHandler } from '../store/workspace-members-handler.ts';

/**
 * Who was added while leaving the organization is expelled: that they left may have been told before
 * they were in the read model. Asks again for each whom people have added; whom the directory adds
 * the directory takes away.
 */
export function verifyNewMembers(
  eventStore: EventStore,
  directory: Pick<Directory, 'activeMembers'>,
): Projection {
  const handleMembers = workspaceMembersHandler(eventStore);
  async function verify(recorded: RecordedEvent): Promise<void> {
    const event = workspaceMembersEvents.decode(recorded);
    if (event.type !== 'WorkspaceMemberAdded' || event.data.manualRole === null) return;
    const { accountId, workspaceId, userId, changedAt: occurredAt } = event.data;
    if ((await directory.activeMembers(accountId, [userId])).length > 0) return;
    const commandId = derivedId('verify member', recorded.id);
    const handled = await handleMembers(
      workspaceId,
      { type: 'ExpelMembers', accountId, workspaceId, userIds: [userId], occurredAt },
      {
        commandId,
        requestId: `verification-${commandId}`,
        occurredAt,
        actor: { type: 'system', id: 'workspace' },
      },
    );
    if (isRejection(handled)) throw rejectionToFault(handled);
  }
  return {
    projection: 'workspace.verify_new_members',
    version: 1,
    streamPrefixes: [workspaceMembersStreamPrefix],
    tables: [],
    async apply(_transaction, events) {
      for (const recorded of events) await verify(recorded);
    },
  };
}
