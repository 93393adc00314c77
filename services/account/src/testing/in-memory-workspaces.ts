import { Fault } from '@sluice/errors';
import type { Membership, WorkspaceChange, Workspaces } from '../commands/workspaces.ts';

interface Roles {
  readonly manual?: Membership['role'];
  readonly directory?: Membership['role'];
}

export interface InMemoryWorkspaces extends Workspaces {
  /** A workspace of an organization. */
  add(accountId: string, workspaceId: string): void;
  remove(workspaceId: string): void;
  /** Adds a member as a person does, not as the directory does. */
  join(workspaceId: string, membership: Membership): void;
  /** Returns the members, each with the higher one of their roles, sorted. */
  members(workspaceId: string): readonly string[];
  /** Called before each change. An error that it throws is the failure of the change. */
  onChange: (change: WorkspaceChange) => void | Promise<void>;
}

/** The workspaces of another service, by its rules: a command is made once, roles are kept apart. */
export function inMemoryWorkspaces(): InMemoryWorkspaces {
  const accounts = new Map<string, string>();
  const workspaces = new Map<string, Map<string, Roles>>();
  const made = new Set<string>();
  const roleOf = ({ manual, directory }: Roles) =>
    manual === 'admin' || directory === 'admin' ? 'admin' : (manual ?? directory);
  const found: InMemoryWorkspaces = {
    onChange: () => undefined,
    add(accountId, workspaceId) {
      accounts.set(workspaceId, accountId);
      workspaces.set(workspaceId, new Map());
    },
    remove: (workspaceId) => void workspaces.delete(workspaceId),
    join(workspaceId, { userId, role }) {
      const roles = workspaces.get(workspaceId);
      roles?.set(userId, { ...roles.get(userId), manual: role });
    },
    members: (workspaceId) =>
      [...(workspaces.get(workspaceId) ?? [])]
        .flatMap(([userId, roles]) => {
          const role = roleOf(roles);
          return role === undefined ? [] : [`${userId} ${role}`];
        })
        .toSorted(),
    workspaceExists: async (accountId, workspaceId) =>
      workspaces.has(workspaceId) && accounts.get(workspaceId) === accountId,
    async setDirectoryMemberships(change, memberships) {
      await within(change, (roles) => {
        const named = new Map(memberships.map(({ userId, role }) => [userId, role]));
        for (const userId of new Set([...roles.keys(), ...named.keys()])) {
          const { manual } = roles.get(userId) ?? {};
          const directory = named.get(userId);
          roles.set(userId, {
            ...(manual === undefined ? {} : { manual }),
            ...(directory === undefined ? {} : { directory }),
          });
        }
      });
    },
    async keepDirectoryMembers(change, userIds) {
      await within(change, (roles) => {
        for (const userId of userIds) {
          const before = roles.get(userId) ?? {};
          const manual = before.directory === undefined ? undefined : roleOf(before);
          if (manual !== undefined) roles.set(userId, { ...before, manual });
        }
      });
    },
  };
  async function within(change: WorkspaceChange, work: (roles: Map<string, Roles>) => void) {
    await found.onChange(change);
    const roles = workspaces.get(change.workspaceId);
    if (!roles || accounts.get(change.workspaceId) !== change.accountId)
      throw new Fault('not_found');
    if (made.has(change.commandId)) return;
    made.add(change.commandId);
    work(roles);
  }
  return found;
}
