import { Fault } from '@sluice/errors';
import {
  type AddMembersRequest,
  type Budget,
  type DeleteWorkspaceRequest,
  type RemoveMembersRequest,
  Workspace,
} from '@sluice/protos/sluice/workspace/v1/workspace';
import { inMemoryRoutes } from './in-memory-routes.ts';
import type { WorkspaceCalls } from '../clients/calls.ts';

export interface InMemoryWorkspaces {
  readonly calls: WorkspaceCalls;
  /** The requests without an answer of their own. */
  readonly asked: (AddMembersRequest | RemoveMembersRequest | DeleteWorkspaceRequest)[];
}

/** The workspace service's questions over maps, without its rules. */
export function inMemoryWorkspaces(): InMemoryWorkspaces {
  const all = new Map<string, Workspace>();
  const budgets = new Map<string, Budget[]>();
  const asked: InMemoryWorkspaces['asked'] = [];
  const createdAt = '2026-11-20T12:00:00.000Z';
  const find = (accountId: string | undefined, reference: string): Workspace => {
    const found = [...all.values()].find(
      (one) =>
        one.accountId === accountId && (one.workspaceId === reference || one.slug === reference),
    );
    if (!found) throw new Fault('not_found');
    return found;
  };
  const membershipOf = (userId: string) => ({
    id: `m-${userId}`,
    userId,
    role: 'member',
    createdAt,
  });
  return {
    asked,
    calls: {
      ...inMemoryRoutes(),
      async createWorkspace({ context, ...values }) {
        const accountId = context?.accountId ?? '';
        const workspace = Workspace.fromPartial({ ...values, accountId, createdAt });
        all.set(workspace.workspaceId, workspace);
        return { workspace };
      },
      getWorkspace: async ({ accountId, workspaceId }) => ({
        workspace: find(accountId, workspaceId),
      }),
      async listWorkspaces({ accountId, offset, limit }) {
        const found = [...all.values()].filter((one) => one.accountId === accountId);
        return { workspaces: found.slice(offset, offset + limit), totalCount: found.length };
      },
      async updateWorkspace({ context, workspaceRef, name, slug, settings, changedSettings }) {
        const before = find(context?.accountId, workspaceRef);
        const workspace = {
          ...before,
          name: name ?? before.name,
          slug: slug ?? before.slug,
          settings: changedSettings.length === 0 ? before.settings : settings,
          updatedAt: createdAt,
        };
        all.set(before.workspaceId, workspace);
        return { workspace };
      },
      async deleteWorkspace(request) {
        asked.push(request);
        all.delete(find(request.context?.accountId, request.workspaceRef).workspaceId);
        return {};
      },
      async listMembers({ accountId, workspaceRef }) {
        const { workspaceId } = find(accountId, workspaceRef);
        return { workspaceId, memberships: [membershipOf('user_1')], totalCount: 1 };
      },
      async addMembers(request) {
        asked.push(request);
        const { workspaceId } = find(request.context?.accountId, request.workspaceRef);
        const memberships = request.userIds.map(membershipOf);
        return { workspaceId, addedCount: memberships.length, memberships };
      },
      async removeMembers(request) {
        asked.push(request);
        find(request.context?.accountId, request.workspaceRef);
        return { removedCount: request.userIds.length };
      },
      async listBudgets({ accountId, workspaceRef }) {
        const { workspaceId } = find(accountId, workspaceRef);
        return { workspaceId, budgets: budgets.get(workspaceId) ?? [], includeByok: false };
      },
      async setBudget({ context, workspaceRef, windowKind, limitNanoUsd, includeByok }) {
        const { workspaceId } = find(context?.accountId, workspaceRef);
        const times = { createdAt, updatedAt: createdAt };
        const budget = { budgetId: `b-${windowKind}`, windowKind, limitNanoUsd, ...times };
        budgets.set(workspaceId, [...(budgets.get(workspaceId) ?? []), budget]);
        return { workspaceId, budget, includeByok: includeByok ?? false };
      },
      async removeBudget({ context, workspaceRef }) {
        budgets.delete(find(context?.accountId, workspaceRef).workspaceId);
        return {};
      },
    },
  };
}
