import type { Ids } from '@sluice/clock-and-ids';
import type { WorkspaceCalls } from '../../clients/calls.ts';
import type { App } from '../../http/app-types.ts';
import { AccountRoutes } from '../../http/routes/account-routes.ts';
import { pageOf } from '../../http/schemas/page.ts';
import {
  membersAddedReply,
  membershipListReply,
  membersRemovedReply,
  userIdsBody,
} from './member-schema.ts';
import { listWorkspacesQuery, wellFormedWorkspace } from './schema.ts';
import { membershipView } from './view.ts';

export interface WorkspaceMembersDependencies {
  readonly workspaces: WorkspaceCalls;
  readonly ids: Ids;
}

const organization = { organization: true } as const;

export function workspaceMembersRoutes(
  app: App,
  { workspaces, ids }: WorkspaceMembersDependencies,
): void {
  const routes = new AccountRoutes(app, ids, { auth: 'management', errors: [] });
  routes.get('/v1/workspaces/:id/members', {
    operationId: 'listWorkspaceMembers',
    summary: 'List the members of a workspace; of the default one that is everybody',
    params: wellFormedWorkspace,
    query: listWorkspacesQuery,
    answer: membershipListReply,
    config: { errors: [400] },
    handle: async ({ accountId, params: { id: workspaceRef }, query }) => {
      const page = { accountId, workspaceRef, ...pageOf(query) };
      const { workspaceId, memberships, totalCount } = await workspaces.listMembers(page);
      const data = memberships.map((membership) => membershipView(workspaceId, membership));
      return { data, total_count: totalCount };
    },
  });
  routes.change('POST', '/v1/workspaces/:id/members/add', {
    operationId: 'addWorkspaceMembers',
    summary: 'Add members of the organization to a workspace, all or none',
    params: wellFormedWorkspace,
    body: userIdsBody,
    answer: membersAddedReply,
    config: organization,
    handle: async ({ context, params: { id: workspaceRef }, body: { user_ids: userIds } }) => {
      const added = await workspaces.addMembers({ context, workspaceRef, userIds });
      const { workspaceId, addedCount, memberships } = added;
      const data = memberships.map((membership) => membershipView(workspaceId, membership));
      return { added_count: addedCount, data };
    },
  });
  routes.change('POST', '/v1/workspaces/:id/members/remove', {
    operationId: 'removeWorkspaceMembers',
    summary: 'Remove members without keys from a workspace, all or none',
    params: wellFormedWorkspace,
    body: userIdsBody,
    answer: membersRemovedReply,
    config: organization,
    handle: async ({ context, params: { id: workspaceRef }, body: { user_ids: userIds } }) => {
      const removed = await workspaces.removeMembers({ context, workspaceRef, userIds });
      return { removed_count: removed.removedCount };
    },
  });
}
