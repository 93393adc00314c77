import { invalidRequest, type Rejection } from '@sluice/errors';
import type { Decider } from '@sluice/es';
import type { MemberSources, WorkspaceMembersEvent, WorkspaceRole } from './events.ts';
import { evolve, initial, type Member, roleOf, type WorkspaceMembers } from './state.ts';

/** Names the account of the workspace. */
interface Of {
  readonly accountId: string;
  readonly workspaceId: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly occurredAt: string;
}

export interface RoleOfUser {
  readonly userId: string;
  readonly role: WorkspaceRole;
}

/**
 * Adds members at the request of a person, not of the directory. Each gets the role that the organization gives them.
 */
export interface AddMembers extends Of {
  readonly type: 'AddMembers';
  readonly members: readonly RoleOfUser[];
}

/** Removes members at the request of a person: all of them or none. */
export interface RemoveMembers extends Of {
  readonly type: 'RemoveMembers';
  readonly userIds: readonly string[];
}

/** All that the directory says of this workspace: who is not named is not its member any more. */
export interface SetDirectoryMembers extends Of {
  readonly type: 'SetDirectoryMembers';
  readonly members: readonly RoleOfUser[];
}

/** Lets members keep the access that the directory takes back. */
export interface KeepDirectoryMembers extends Of {
  readonly type: 'KeepDirectoryMembers';
  readonly userIds: readonly string[];
}

/** Removes people who left the organization, from every source of membership. */
export interface ExpelMembers extends Of {
  readonly type: 'ExpelMembers';
  readonly userIds: readonly string[];
}

/** The workspace is gone. */
export interface DissolveMembers extends Of {
  readonly type: 'DissolveMembers';
}

export type WorkspaceMembersCommand =
  | AddMembers
  | RemoveMembers
  | SetDirectoryMembers
  | KeepDirectoryMembers
  | ExpelMembers
  | DissolveMembers;

export type WorkspaceMembersRejection = Rejection<'invalid_request'>;

function decide(
  command: WorkspaceMembersCommand,
  members: WorkspaceMembers,
): readonly WorkspaceMembersEvent[] | WorkspaceMembersRejection {
  const become = (userId: string, wanted: Partial<MemberSources>) =>
    change(command, userId, members.get(userId), wanted);
  switch (command.type) {
    case 'AddMembers':
      return command.members.flatMap(({ userId, role }) => become(userId, { manualRole: role }));
    case 'RemoveMembers':
      return remove(command, members);
    case 'SetDirectoryMembers': {
      const roles = new Map(command.members.map(({ userId, role }) => [userId, role]));
      const userIds = new Set([...members.keys(), ...roles.keys()]);
      return [...userIds].flatMap((userId) =>
        become(userId, { directoryRole: roles.get(userId) ?? null }),
      );
    }
    case 'KeepDirectoryMembers':
      return [...new Set(command.userIds)].flatMap((userId) => {
        const member = members.get(userId);
        if (!member || member.directoryRole === null) return [];
        return become(userId, { manualRole: roleOf(member) ?? null });
      });
    case 'ExpelMembers':
      return [...new Set(command.userIds)].flatMap((userId) => become(userId, nobody));
    case 'DissolveMembers':
      return [...members.keys()].flatMap((userId) => become(userId, nobody));
  }
}

export const workspaceMembers: Decider<
  WorkspaceMembersCommand,
  WorkspaceMembers,
  WorkspaceMembersEvent,
  WorkspaceMembersRejection
> = { category: 'workspaceMembers', initial, evolve, decide };

const nobody: MemberSources = { manualRole: null, directoryRole: null };

function remove(
  { userIds, ...command }: RemoveMembers,
  members: WorkspaceMembers,
): readonly WorkspaceMembersEvent[] | WorkspaceMembersRejection {
  const named = [...new Set(userIds)];
  const issues = named
    .filter((userId) => (members.get(userId)?.directoryRole ?? null) !== null)
    .map((userId) => ({
      path: 'user_ids',
      message: `${userId} is a member by the directory of the organization: change it there`,
    }));
  if (issues.length > 0) return invalidRequest(issues);
  return named.flatMap((userId) => change(command, userId, members.get(userId), nobody));
}

/** The one fact that makes the member what they shall be; none when they are so already. */
function change(
  { accountId, workspaceId, occurredAt }: Of,
  userId: string,
  before: Member | undefined,
  wanted: Partial<MemberSources>,
): readonly WorkspaceMembersEvent[] {
  const { manualRole, directoryRole } = { ...nobody, ...before, ...wanted };
  const sources = { manualRole, directoryRole };
  const roleBefore = before && roleOf(before);
  const role = roleOf(sources);
  const member = { accountId, workspaceId, userId };
  const data = { ...member, ...sources, changedAt: occurredAt };
  if (role === undefined)
    return before
      ? [{ type: 'WorkspaceMemberRemoved', data: { ...member, changedAt: occurredAt } }]
      : [];
  if (roleBefore === undefined) return [{ type: 'WorkspaceMemberAdded', data }];
  if (role !== roleBefore) return [{ type: 'WorkspaceMemberRoleChanged', data }];
  const isSame = before?.manualRole === manualRole && before.directoryRole === directoryRole;
  return isSame ? [] : [{ type: 'WorkspaceMemberSourcesChanged', data }];
}
