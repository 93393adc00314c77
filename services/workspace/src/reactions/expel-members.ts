import { type DirectoryFollower, followDirectoryFacts, subjectFilters } from '@sluice/bus';
import { derivedId } from '@sluice/clock-and-ids';
import { requireAccepted } from '@sluice/errors';
import { type EventStore, systemContext } from '@sluice/es';
import { MemberDeactivated } from '@sluice/protos/sluice/directory/v1/directory_events';
import type { AccountReads } from '@sluice/read-model';
import { listWorkspacesOfUser } from '../queries/list-workspaces-of-user.ts';
import { workspaceMembersEvents } from '../store/workspace-members-events.ts';

export interface ExpelMembersDependencies extends DirectoryFollower {
  readonly eventStore: EventStore;
  readonly readModel: AccountReads;
}

/**
 * Removes former members of the organization from its workspaces, until the signal aborts. The ids of the commands
 * follow from the fact: a fact that comes again changes nothing.
 */
export async function expelMembers(dependencies: ExpelMembersDependencies): Promise<void> {
  await followDirectoryFacts(dependencies, [
    {
      durable: 'workspace-expel-members',
      filter: subjectFilters.memberDeactivated,
      handle: (data) => expel(dependencies, MemberDeactivated.fromJSON(data)),
    },
  ]);
}

async function expel(
  { eventStore, readModel }: ExpelMembersDependencies,
  { factId, accountId, userId, occurredAt }: MemberDeactivated,
): Promise<void> {
  const handleMembers = workspaceMembersEvents.handler(eventStore);
  for (const workspaceId of await listWorkspacesOfUser(readModel, { accountId, userId })) {
    const commandId = derivedId('expel member', factId, workspaceId);
    const context = systemContext('workspace', { commandId, cause: 'deactivation', occurredAt });
    const command = { type: 'ExpelMembers', accountId, workspaceId, userIds: [userId] } as const;
    requireAccepted(await handleMembers(workspaceId, { ...command, occurredAt }, context));
  }
}
