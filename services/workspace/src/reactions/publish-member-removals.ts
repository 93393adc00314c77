import { createFactPublisher, directoryStream, type FactBus, subjects } from '@sluice/bus';
import type { EventStore } from '@sluice/es';
import { WorkspaceMemberRemoved } from '@sluice/protos/sluice/directory/v1/directory_events';
import { type Projection, streamReaction } from '@sluice/read-model';
import type { Directory } from '../commands/directory.ts';
import type { WorkspaceMemberRemoved as Removal } from '../domain/workspace-members/events.ts';
import { workspaceEvents } from '../store/workspace-events.ts';
import { workspaceMembersEvents } from '../store/workspace-members-events.ts';

export interface PublishRemovalsDependencies {
  readonly bus: FactBus;
  readonly eventStore: EventStore;
  readonly directory: Pick<Directory, 'activeMembers'>;
}

/**
 * Publishes that a user lost access to a workspace, so that other services end what depends on it. The bus
 * has stored the fact before the checkpoint moves. A user with access for another reason has lost none.
 * A new membership restores nothing there.
 */
export function publishMemberRemovals(dependencies: PublishRemovalsDependencies): Projection {
  const publishFact = createFactPublisher(dependencies.bus, directoryStream);
  const facts = { projection: 'workspace.publish_member_removals', version: 1 };
  return streamReaction(workspaceMembersEvents, facts, async (event, { revision }) => {
    if (event.type !== 'WorkspaceMemberRemoved') return;
    if (await hasAccessStill(dependencies, event.data)) return;
    const { accountId, workspaceId, userId, changedAt: occurredAt } = event.data;
    const factId = `${workspaceId}/${userId}@${revision}`;
    const fact: WorkspaceMemberRemoved = { factId, accountId, workspaceId, userId, occurredAt };
    const message = WorkspaceMemberRemoved.toJSON(fact) as object;
    await publishFact(subjects.workspaceMemberRemoved(accountId), fact.factId, message);
  });
}

/** To the default workspace all of the organization have it, and its admins have it to every one. */
async function hasAccessStill(
  { eventStore, directory }: Omit<PublishRemovalsDependencies, 'bus'>,
  { accountId, workspaceId, userId }: Removal['data'],
): Promise<boolean> {
  const { state } = await workspaceEvents.load(eventStore, workspaceId);
  if (state.kind !== 'created') return false;
  const [member] = await directory.activeMembers(accountId, [userId]);
  return member !== undefined && (state.isDefault || member.role === 'admin');
}
