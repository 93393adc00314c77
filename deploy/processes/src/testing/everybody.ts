import type { Directory as GuardrailDirectory } from '@sluice/guardrail/service';
import type { Directory as WorkspaceDirectory } from '@sluice/workspace/service';
import { PrivateEndpointUseServiceService } from '@sluice/protos/sluice/account/v1/private_endpoint';
import { implement, type RpcService } from '@sluice/rpc';

/** An organization in which everybody is a member. */
export const workspaceDirectory: WorkspaceDirectory = {
  isOrganization: async () => true,
  usesAlignment: async () => true,
  activeMembers: async (_accountId, userIds) =>
    userIds.map((userId) => ({ userId, role: 'member' as const })),
  workspacesOfKeys: async () => new Map(),
  listMembers: async () => ({ members: [], totalCount: 0 }),
  beginClosing: async () => ({ keyCount: 0, token: '' }),
  endClosing: async () => undefined,
};

/** The same for guardrails, where each account has one workspace. */
export function guardrailDirectory(workspaces: ReadonlyMap<string, string>): GuardrailDirectory {
  const workspaceOf = (accountId: string) => workspaces.get(accountId) ?? '';
  return {
    defaultWorkspaceId: async (accountId) => workspaceOf(accountId),
    workspaceExists: async (accountId, workspaceId) => workspaceOf(accountId) === workspaceId,
    async *workspaceIds(accountId) {
      yield [workspaceOf(accountId)];
    },
    findKeys: async (accountId, hashes) =>
      hashes.map((hash) => ({
        hash,
        label: 'key',
        name: 'key',
        workspaceId: workspaceOf(accountId),
      })),
    findMembers: async (_accountId, userIds) => userIds,
  };
}

/** Answers that no organization has private endpoints. */
export const noPrivateEndpoints: RpcService = implement(PrivateEndpointUseServiceService, {
  listActiveEndpoints: async () => ({ endpoints: [] }),
  listEndpointChanges: async () => ({ revision: 0n, changes: [], isEnd: true }),
});
