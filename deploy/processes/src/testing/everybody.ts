import type { Directory as GuardrailDirectory } from '@sluice/guardrail/service';
import type { Directory as WorkspaceDirectory } from '@sluice/workspace/service';

/** An organization in which everybody is a member and every key is there. */
export const workspaceDirectory: WorkspaceDirectory = {
  isOrganization: async () => true,
  activeMembers: async (_accountId, userIds) =>
    userIds.map((userId) => ({ userId, role: 'member' as const })),
  listMembers: async () => ({ members: [], totalCount: 0 }),
  countKeys: async () => 0,
};

/** The same for guardrails that are kept in no workspace. */
export const guardrailDirectory: GuardrailDirectory = {
  defaultWorkspaceId: async () => '',
  workspaceExists: async () => true,
  async *workspaceIds() {},
  findKeys: async (_accountId, hashes) =>
    hashes.map((hash) => ({ hash, label: 'key', workspaceId: '' })),
  findMembers: async (_accountId, userIds) => userIds,
};
