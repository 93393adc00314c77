import type { Membership } from '@sluice/protos/sluice/workspace/v1/workspace';
import type { AccountReads } from '@sluice/read-model';
import { derivedId } from '@sluice/clock-and-ids';
import type { Directory, MemberPage, OrganizationMember } from '../commands/directory.ts';
import type { WorkspaceMembers } from '../domain/workspace-members/state.ts';
import {
  countWorkspaceMembers,
  findWorkspaceMembers,
  listWorkspaceMembers,
  type MemberRow,
} from '../queries/list-workspace-members.ts';
import type { WorkspaceRow } from '../queries/workspace-row.ts';

export interface MembershipDependencies {
  readonly readModel: AccountReads;
  readonly directory: Directory;
}

export interface ListedMemberships {
  readonly memberships: Membership[];
  readonly totalCount: number;
}

/**
 * A page of the members. Everybody in the organization belongs to its default workspace, and the
 * owner of a personal account to all of its workspaces, without having been added.
 */
export async function listMemberships(
  { readModel, directory }: MembershipDependencies,
  workspace: WorkspaceRow,
  page: MemberPage,
): Promise<ListedMemberships> {
  const { accountId, workspaceId } = workspace;
  if (await isImplicit(directory, workspace)) {
    const { members, totalCount } = await directory.listMembers(accountId, page);
    const userIds = members.map(({ userId }) => userId);
    const rows = await findWorkspaceMembers(readModel, { accountId, workspaceId, userIds });
    return { memberships: implicit(workspace, members, rows), totalCount };
  }
  const [rows, totalCount] = await Promise.all([
    listWorkspaceMembers(readModel, { accountId, workspaceId, ...page }),
    countWorkspaceMembers(readModel, { accountId, workspaceId }),
  ]);
  const admins = await adminsAmong(directory, accountId, rows);
  return { memberships: rows.map((row) => explicit(workspaceId, row, admins)), totalCount };
}

/** Returns the memberships of the users that have access. An admin of the organization has access to all workspaces. */
export async function findMemberships(
  { readModel, directory }: MembershipDependencies,
  workspace: WorkspaceRow,
  userIds: readonly string[],
): Promise<Membership[]> {
  const { accountId, workspaceId } = workspace;
  const [members, rows, all] = await Promise.all([
    directory.activeMembers(accountId, userIds),
    findWorkspaceMembers(readModel, { accountId, workspaceId, userIds }),
    isImplicit(directory, workspace),
  ]);
  const active = new Set(members.map(({ userId }) => userId));
  const admins = adminsOf(members);
  const memberships = rows
    .filter(({ userId }) => active.has(userId))
    .map((row) => explicit(workspaceId, row, admins));
  const added = new Set(memberships.map(({ userId }) => userId));
  const others = members.filter(
    ({ userId, role }) => !added.has(userId) && (all || role === 'admin'),
  );
  return [...memberships, ...implicit(workspace, others, [])];
}

/** Returns the memberships that were just added, from the log: the read model may not show them yet. */
export function addedMemberships(
  workspaceId: string,
  added: readonly OrganizationMember[],
  members: WorkspaceMembers,
): Membership[] {
  const admins = adminsOf(added);
  return added.flatMap(({ userId }) => {
    const member = members.get(userId);
    if (!member) return [];
    const row = { ...member, userId, createdAt: new Date(member.createdAt) };
    return [explicit(workspaceId, row, admins)];
  });
}

/** Returns whether the user has access, with the members of the workspace as the log has them. */
export async function hasAccess(
  directory: Pick<Directory, 'isOrganization' | 'activeMembers'>,
  asked: {
    readonly workspace: Pick<WorkspaceRow, 'accountId' | 'isDefault'>;
    readonly members: WorkspaceMembers;
    readonly userId: string;
  },
): Promise<boolean> {
  const { workspace, members, userId } = asked;
  const [member] = await directory.activeMembers(workspace.accountId, [userId]);
  if (!member) return false;
  if (member.role === 'admin' || members.has(userId)) return true;
  return await isImplicit(directory, workspace);
}

/** Returns true if members of the account belong to the workspace without having been added. */
export async function isImplicit(
  directory: Pick<Directory, 'isOrganization'>,
  { accountId, isDefault }: Pick<WorkspaceRow, 'accountId' | 'isDefault'>,
): Promise<boolean> {
  return isDefault || !(await directory.isOrganization(accountId));
}

/** A UUID that is a function of both. */
function membershipId(workspaceId: string, userId: string): string {
  return derivedId('membership', workspaceId, userId);
}

async function adminsAmong(
  directory: Directory,
  accountId: string,
  rows: readonly MemberRow[],
): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set();
  const userIds = rows.map(({ userId }) => userId);
  return adminsOf(await directory.activeMembers(accountId, userIds));
}

function adminsOf(members: readonly OrganizationMember[]): ReadonlySet<string> {
  return new Set(members.flatMap(({ userId, role }) => (role === 'admin' ? [userId] : [])));
}

/** Returns the highest role that people, the directory and the organization give. */
function explicit(workspaceId: string, row: MemberRow, admins: ReadonlySet<string>): Membership {
  const { userId, manualRole, directoryRole, createdAt } = row;
  const isAdmin = manualRole === 'admin' || directoryRole === 'admin' || admins.has(userId);
  return {
    id: membershipId(workspaceId, userId),
    userId,
    role: isAdmin ? 'admin' : 'member',
    createdAt: createdAt.toISOString(),
  };
}

/** They have been members for as long as there is the workspace. */
function implicit(
  { workspaceId, createdAt }: WorkspaceRow,
  members: readonly OrganizationMember[],
  rows: readonly MemberRow[],
): Membership[] {
  const raised = new Set(
    rows.flatMap(({ userId, manualRole, directoryRole }) =>
      manualRole === 'admin' || directoryRole === 'admin' ? [userId] : [],
    ),
  );
  return members.map(({ userId, role }) => ({
    id: membershipId(workspaceId, userId),
    userId,
    role: raised.has(userId) ? 'admin' : role,
    createdAt: createdAt.toISOString(),
  }));
}
