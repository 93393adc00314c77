import type { Directory, KnownKey } from '../commands/directory.ts';

export const defaultWorkspaceId = '0190a000-0000-7000-8000-000000000010';
export const otherWorkspaceId = '0190a000-0000-7000-8000-000000000011';
export const strangersWorkspaceId = '0190a000-0000-7000-8000-000000000012';

export interface InMemoryDirectory extends Directory {
  /** The workspaces by account. The first one of an account is its default. */
  readonly workspaces: Map<string, string[]>;
  /** A new key of org_1. */
  addKey(workspaceId?: string): string;
  /** A new member of org_1. */
  addMember(): string;
  readonly keys: Map<string, KnownKey & { readonly accountId: string }>;
  readonly members: Set<string>;
}

/** Two accounts: org_1 with two workspaces, org_2 with one. */
export function inMemoryDirectory(): InMemoryDirectory {
  const workspaces = new Map([
    ['org_1', [defaultWorkspaceId, otherWorkspaceId]],
    ['org_2', [strangersWorkspaceId]],
  ]);
  const keys: InMemoryDirectory['keys'] = new Map();
  const members = new Set<string>();
  const of = (accountId: string) => workspaces.get(accountId) ?? [];
  return {
    workspaces,
    keys,
    members,
    addKey(workspaceId = defaultWorkspaceId) {
      const hash = (keys.size + 1).toString(16).padStart(64, '0');
      keys.set(hash, {
        hash,
        label: `sk-…${keys.size}`,
        name: `Key ${keys.size}`,
        workspaceId,
        accountId: 'org_1',
      });
      return hash;
    },
    addMember() {
      const userId = `user_${members.size + 1}`;
      members.add(userId);
      return userId;
    },
    defaultWorkspaceId: async (accountId) => of(accountId)[0] ?? '',
    workspaceExists: async (accountId, workspaceId) => of(accountId).includes(workspaceId),
    async *workspaceIds(accountId) {
      for (const id of of(accountId)) yield [id];
    },
    findKeys: async (accountId, hashes) =>
      [...keys.values()].filter((key) => key.accountId === accountId && hashes.includes(key.hash)),
    findMembers: async (accountId, userIds) =>
      accountId === 'org_1' ? userIds.filter((userId) => members.has(userId)) : [],
  };
}
