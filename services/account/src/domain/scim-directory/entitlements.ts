import type { ScimRole } from './events.ts';
import { isLiving, type ScimDirectory } from './state.ts';

/** A member of an organization, active or not. */
export interface DirectoryMember {
  readonly userId: string;
  readonly email: string;
  readonly isActive: boolean;
  /** Ended by the directory, which alone may take it back. */
  readonly isEndedByDirectory: boolean;
  /** True for the owner, who opened the organization. The directory cannot deactivate the owner. */
  readonly isOwner: boolean;
}

/** A workspace id → an email address in lower case → the role there. */
export type Entitlements = ReadonlyMap<string, ReadonlyMap<string, ScimRole>>;

/** A workspace id → a user id → the role there. */
export type DirectoryMemberships = ReadonlyMap<string, ReadonlyMap<string, ScimRole>>;

/**
 * Returns the role of each person in each workspace: the highest role of the person's groups that are
 * mapped to it. People who are not members yet are included, and so is a workspace without people.
 */
export function entitlements(directory: ScimDirectory): Entitlements {
  const found = new Map<string, Map<string, ScimRole>>();
  for (const workspaceId of directory.workspaceIds) found.set(workspaceId, new Map());
  for (const { groupId, workspaceId, role } of directory.mappings.values()) {
    const roles = found.get(workspaceId);
    if (!roles || !isLiving(directory, groupId)) continue;
    for (const memberId of directory.groups.get(groupId)?.memberIds ?? []) {
      const user = directory.users.get(memberId);
      if (user?.isActive) roles.set(user.email, highestRole(role, roles.get(user.email)));
    }
  }
  return found;
}

/** Returns the workspaces that are open to the members who are active, or will be. */
export function directoryMemberships(
  directory: ScimDirectory,
  members: readonly DirectoryMember[],
): DirectoryMemberships {
  const { toEnd, toBringBack } = memberChanges(directory, members);
  const active = members.filter(
    ({ userId, isActive }) => (isActive && !toEnd.has(userId)) || toBringBack.has(userId),
  );
  const open = [...entitlements(directory)].map(([workspaceId, roles]) => {
    const ofMembers = active.flatMap(({ userId, email }) => {
      const role = roles.get(email.toLowerCase());
      return role === undefined ? [] : [[userId, role] as const];
    });
    return [workspaceId, new Map(ofMembers)] as const;
  });
  return new Map(open);
}

export interface MemberChanges {
  readonly toEnd: ReadonlySet<string>;
  readonly toBringBack: ReadonlySet<string>;
}

/**
 * Returns the memberships of the organization that the directory ends or restores. Members that the directory
 * never had are left alone. A member that it has twice is active if one of the two is.
 */
export function memberChanges(
  { users }: ScimDirectory,
  members: readonly DirectoryMember[],
): MemberChanges {
  const isActiveByEmail = new Map<string, boolean>();
  for (const { email, isActive } of users.values())
    isActiveByEmail.set(email, isActive || (isActiveByEmail.get(email) ?? false));
  const said = (member: DirectoryMember) => isActiveByEmail.get(member.email.toLowerCase());
  const toEnd = members.filter(
    (member) => member.isActive && !member.isOwner && said(member) === false,
  );
  const toBringBack = members.filter(
    (member) => !member.isActive && member.isEndedByDirectory && said(member) === true,
  );
  const idsOf = (some: readonly DirectoryMember[]) => new Set(some.map(({ userId }) => userId));
  return { toEnd: idsOf(toEnd), toBringBack: idsOf(toBringBack) };
}

/** Returns the people who would lose their role in a workspace, or get a lower one. */
export function losers(
  workspaceId: string,
  before: DirectoryMemberships,
  after: DirectoryMemberships,
): readonly string[] {
  const rolesAfter = after.get(workspaceId);
  return [...(before.get(workspaceId) ?? [])].flatMap(([userId, role]) =>
    rolesAfter?.get(userId) === role || rolesAfter?.get(userId) === 'admin' ? [] : [userId],
  );
}

function highestRole(one: ScimRole, other: ScimRole | undefined): ScimRole {
  return one === 'admin' || other === 'admin' ? 'admin' : 'member';
}
