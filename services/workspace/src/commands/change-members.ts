import { invalidRequest, rejectionToFault, requireAccepted } from '@sluice/errors';
import type { ReceivedContext } from '@sluice/rpc';
import type { EventStore } from '@sluice/es';
import {
  workspaceMembersEvents,
  type WorkspaceMembersHandler,
} from '../store/workspace-members-events.ts';
import type { Directory } from './directory.ts';
import { whileClosed } from './while-closed.ts';

export interface ChangeMembersDependencies {
  readonly eventStore: EventStore;
  readonly handleMembers: WorkspaceMembersHandler;
  readonly directory: Pick<Directory, 'activeMembers' | 'beginClosing' | 'endClosing'>;
}

export interface ChangedMembers {
  readonly workspaceId: string;
  /** Each at most once. */
  readonly userIds: readonly string[];
}

/** Makes all of them members with the role that the organization gives them, or none. */
export function addMembers({ handleMembers, directory }: ChangeMembersDependencies) {
  return async ({ workspaceId, userIds }: ChangedMembers, context: ReceivedContext) => {
    const { accountId, occurredAt } = context;
    const members = await requireMembers(directory, accountId, userIds);
    const command = { type: 'AddMembers', accountId, workspaceId, members, occurredAt } as const;
    const handled = requireAccepted(await handleMembers(workspaceId, command, context));
    return { ...handled, members };
  };
}

/** Throws invalid_request that names each user who is no active member of the organization. */
export async function requireMembers(
  directory: Pick<Directory, 'activeMembers'>,
  accountId: string,
  userIds: readonly string[],
) {
  const members = await directory.activeMembers(accountId, userIds);
  const known = new Set(members.map(({ userId }) => userId));
  const issues = userIds
    .filter((userId) => !known.has(userId))
    .map((userId) => ({
      path: 'user_ids',
      message: `${userId} is no active member of the organization`,
    }));
  if (issues.length > 0) throw rejectionToFault(invalidRequest(issues));
  return members;
}

/** Removes all of them, or none. Who is no member is passed over. */
export function removeMembers({ eventStore, handleMembers, directory }: ChangeMembersDependencies) {
  return async ({ workspaceId, userIds: named }: ChangedMembers, context: ReceivedContext) => {
    const { accountId, occurredAt } = context;
    const { state } = await workspaceMembersEvents.load(eventStore, workspaceId);
    const userIds = named.filter((userId) => state.has(userId));
    const command = { type: 'RemoveMembers', accountId, workspaceId, userIds, occurredAt } as const;
    if (userIds.length > 0)
      return await whileClosed(directory, context, {
        closed: { workspaceId, creatorUserIds: userIds },
        refuseKeys: haveKeys,
        carryOut: (closing) => handleMembers(workspaceId, command, closing),
      });
    return requireAccepted(await handleMembers(workspaceId, command, context));
  };
}

function haveKeys(count: number) {
  const keys = count === 1 ? '1 API key' : `${count} API keys`;
  return invalidRequest([{ path: 'user_ids', message: `they have ${keys} in the workspace` }]);
}
