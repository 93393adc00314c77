import { type Bus, type BusMessage, directoryStream, subjectFilters } from '@sluice/bus';
import { isRejection, rejectionToFault } from '@sluice/errors';
import type { EventStore } from '@sluice/es';
import { MemberDeactivated } from '@sluice/protos/sluice/directory/v1/directory_events';
import type { AccountReads } from '@sluice/read-model';
import { derivedId } from '@sluice/clock-and-ids';
import { listWorkspacesOfUser } from '../queries/list-workspaces-of-user.ts';
import { workspaceMembersHandler } from '../store/workspace-members-handler.ts';

export interface ExpelMembersDependencies {
  readonly bus: Pick<Bus, 'consume' | 'ensureStream'>;
  readonly eventStore: EventStore;
  readonly readModel: AccountReads;
  readonly signal: AbortSignal;
}

const batchMax = 50;

/**
 * Removes former members of the organization from its workspaces. Runs until the signal aborts. A
 * fact is acknowledged when all its consequences are in the log; the ids of the commands are
 * functions of the fact, so that one which comes again changes nothing.
 */
export async function expelMembers(dependencies: ExpelMembersDependencies): Promise<void> {
  const { bus, signal } = dependencies;
  await bus.ensureStream(directoryStream);
  await bus.consume({
    stream: directoryStream.name,
    durable: 'workspace-expel-members',
    filter: subjectFilters.memberDeactivated,
    batchMax,
    signal,
    async handle(messages: readonly BusMessage[]) {
      for (const { data } of messages) await expel(dependencies, MemberDeactivated.fromJSON(data));
    },
  });
}

async function expel(
  { eventStore, readModel }: ExpelMembersDependencies,
  { factId, accountId, userId, occurredAt }: MemberDeactivated,
): Promise<void> {
  const handleMembers = workspaceMembersHandler(eventStore);
  for (const workspaceId of await listWorkspacesOfUser(readModel, { accountId, userId })) {
    const commandId = derivedId('expel member', factId, workspaceId);
    const handled = await handleMembers(
      workspaceId,
      { type: 'ExpelMembers', accountId, workspaceId, userIds: [userId], occurredAt },
      {
        commandId,
        requestId: `deactivation-${commandId}`,
        occurredAt,
        actor: { type: 'system', id: 'workspace' },
      },
    );
    if (isRejection(handled)) throw rejectionToFault(handled);
  }
}
