import type { Ids } from '@sluice/clock-and-ids';
import type { WorkspaceCalls } from '../../clients/calls.ts';
import type { App } from '../../http/app-types.ts';
import { callerOf, commandContextOf } from '../../http/caller.ts';
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

export function workspaceMembersRoutes(app: App, dependencies: WorkspaceMembersDependencies): void {
  listMembers(app, dependencies);
  addMembers(app, dependencies);
  removeMembers(app, dependencies);
}

function listMembers(app: App, { workspaces }: WorkspaceMembersDependencies): void {
  app.route({
    method: 'GET',
    url: '/v1/workspaces/:id/members',
    config: { auth: 'management', errors: [400] },
    schema: {
      operationId: 'listWorkspaceMembers',
      summary: 'List the members of a workspace; of the default one that is everybody',
      params: wellFormedWorkspace,
      querystring: listWorkspacesQuery,
      response: { 200: membershipListReply },
    },
    handler: async (request) => {
      const { accountId } = callerOf(request);
      const workspaceRef = request.params.id;
      const page = { accountId, workspaceRef, ...pageOf(request.query) };
      const { workspaceId, memberships, totalCount } = await workspaces.listMembers(page);
      const data = memberships.map((membership) => membershipView(workspaceId, membership));
      return { data, total_count: totalCount };
    },
  });
}

function addMembers(app: App, { workspaces, ids }: WorkspaceMembersDependencies): void {
  app.route({
    method: 'POST',
    url: '/v1/workspaces/:id/members/add',
    config: { auth: 'management', organization: true, errors: [] },
    schema: {
      operationId: 'addWorkspaceMembers',
      summary: 'Add members of the organization to a workspace, all or none',
      params: wellFormedWorkspace,
      body: userIdsBody,
      response: { 200: membersAddedReply },
    },
    handler: async (request) => {
      const { workspaceId, addedCount, memberships } = await workspaces.addMembers({
        context: commandContextOf(request, ids),
        workspaceRef: request.params.id,
        userIds: request.body.user_ids,
      });
      const data = memberships.map((membership) => membershipView(workspaceId, membership));
      return { added_count: addedCount, data };
    },
  });
}

function removeMembers(app: App, { workspaces, ids }: WorkspaceMembersDependencies): void {
  app.route({
    method: 'POST',
    url: '/v1/workspaces/:id/members/remove',
    config: { auth: 'management', organization: true, errors: [] },
    schema: {
      operationId: 'removeWorkspaceMembers',
      summary: 'Remove members without keys from a workspace, all or none',
      params: wellFormedWorkspace,
      body: userIdsBody,
      response: { 200: membersRemovedReply },
    },
    handler: async (request) => {
      const { removedCount } = await workspaces.removeMembers({
        context: commandContextOf(request, ids),
        workspaceRef: request.params.id,
        userIds: request.body.user_ids,
      });
      return { removed_count: removedCount };
    },
  });
}
