import type { InferencePort } from '@sluice/inference-port';
import type { Ids } from '@sluice/clock-and-ids';
import type { WorkspaceCalls } from '../../clients/calls.ts';
import type { App } from '../../http/app-types.ts';
import { AccountRoutes } from '../../http/routes/account-routes.ts';
import { assertKnownModel } from './known-model.ts';
import { pageOf } from '../../http/schemas/page.ts';
import {
  anyWorkspace,
  createWorkspaceBody,
  deleteWorkspaceQuery,
  listWorkspacesQuery,
  updateWorkspaceBody,
  wellFormedWorkspace,
  workspaceListReply,
  workspaceReply,
} from './schema.ts';
import { deletedReply } from '../../http/schemas/replies.ts';
import { workspaceView } from './view.ts';
import { createWorkspaceRequest, updateWorkspaceRequest } from './commands.ts';

export interface WorkspacesDependencies {
  readonly workspaces: WorkspaceCalls;
  readonly ids: Ids;
  /** Knows which models there are. */
  readonly inference: Pick<InferencePort, 'readCatalog'>;
}

export function workspacesRoutes(
  app: App,
  { workspaces, ids, inference }: WorkspacesDependencies,
): void {
  const routes = new AccountRoutes(app, ids, { auth: 'management', errors: [] });
  routes.get('/v1/workspaces', {
    operationId: 'listWorkspaces',
    summary: 'List the workspaces, the default one first, then as they were made',
    query: listWorkspacesQuery,
    answer: workspaceListReply,
    config: { errors: [400] },
    handle: async ({ accountId, query }) => {
      const found = await workspaces.listWorkspaces({ accountId, ...pageOf(query) });
      return { data: found.workspaces.map(workspaceView), total_count: found.totalCount };
    },
  });
  routes.change('POST', '/v1/workspaces', {
    operationId: 'createWorkspace',
    summary: 'Create a workspace; no two of an account have the same slug',
    body: createWorkspaceBody,
    answer: workspaceReply,
    status: 201,
    handle: async ({ caller, context, body }) => {
      await assertKnownModel(inference, 'default_text_model', body.default_text_model);
      const command = createWorkspaceRequest(body, context, caller.userId);
      return { data: workspaceView((await workspaces.createWorkspace(command)).workspace) };
    },
  });
  routes.get('/v1/workspaces/:id', {
    operationId: 'getWorkspace',
    summary: 'Read a workspace by its id or its slug',
    params: anyWorkspace,
    answer: workspaceReply,
    handle: async ({ accountId, params: { id: workspaceId } }) => {
      const { workspace } = await workspaces.getWorkspace({ accountId, workspaceId });
      return { data: workspaceView(workspace) };
    },
  });
  routes.change('PATCH', '/v1/workspaces/:id', {
    operationId: 'updateWorkspace',
    summary: 'Change a workspace; a field that is left out stays as it is',
    params: wellFormedWorkspace,
    body: updateWorkspaceBody,
    answer: workspaceReply,
    config: { errors: [409] },
    handle: async ({ context, params, body }) => {
      await assertKnownModel(inference, 'default_text_model', body.default_text_model);
      const command = updateWorkspaceRequest(body, params.id, context);
      return { data: workspaceView((await workspaces.updateWorkspace(command)).workspace) };
    },
  });
  routes.change('DELETE', '/v1/workspaces/:id', {
    operationId: 'deleteWorkspace',
    summary: 'Delete a workspace without keys; the default one takes its keys along',
    params: wellFormedWorkspace,
    query: deleteWorkspaceQuery,
    answer: deletedReply,
    config: { errors: [400] },
    handle: async ({ context, params: { id: workspaceRef }, query }) => {
      const confirmDefault = query.confirm_default_workspace_deletion === 'true';
      await workspaces.deleteWorkspace({ context, workspaceRef, confirmDefault });
      return { deleted: true };
    },
  });
}
