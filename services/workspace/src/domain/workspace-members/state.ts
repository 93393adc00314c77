import type { MemberSources, WorkspaceMembersEvent, WorkspaceRole } from './events.ts';

/** The members of one workspace by their user ids. */
export type WorkspaceMembers = ReadonlyMap<string, Member>;

export interface Member extends MemberSources {
  readonly createdAt: string;
}

export const initial: WorkspaceMembers = new Map();

export function evolve(members: WorkspaceMembers, event: WorkspaceMembersEvent): WorkspaceMembers {
  const { userId, changedAt } = event.data;
  switch (event.type) {
    case 'WorkspaceMemberAdded':
    case 'WorkspaceMemberRoleChanged':
    case 'WorkspaceMemberSourcesChanged': {
      const { manualRole, directoryRole } = event.data;
      const createdAt = members.get(userId)?.createdAt ?? changedAt;
      return new Map(members).set(userId, { manualRole, directoryRole, createdAt });
    }
    case 'WorkspaceMemberRemoved': {
      const others = new Map(members);
      others.delete(userId);
      return others;
    }
  }
}

/** The higher of both; undefined: no access. */
export function roleOf({ manualRole, directoryRole }: MemberSources): WorkspaceRole | undefined {
  if (manualRole === 'admin' || directoryRole === 'admin') return 'admin';
  return manualRole ?? directoryRole ?? undefined;
}
