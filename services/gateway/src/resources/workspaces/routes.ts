import type { InferencePort } from '@sluice/inference-port';
import type { Ids } from '@sluice/clock-and-ids';
import type { WorkspaceCalls } from '../../clients/calls.ts';
import type { App } from '../../http/app-types.ts';
import { callerOf, commandContextOf } from '../../http/caller.ts';
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

const config = { auth: 'management', errors: [] } as const;

export function workspacesRoutes(app: App, dependencies: WorkspacesDependencies): void {
  listWorkspaces(app, dependencies);
  createWorkspace(app, dependencies);
  readWorkspace(app, dependencies);
  updateWorkspace(app, dependencies);
  deleteWorkspace(app, dependencies);
}

function listWorkspaces(app: App, { workspaces }: WorkspacesDependencies): void {
  app.route({
    method: 'GET',
    url: '/v1/workspaces',
    config: { ...config, errors: [400] },
    schema: {
      operationId: 'listWorkspaces',
      summary: 'List the workspaces, the default one first, then as they were made',
      querystring: listWorkspacesQuery,
      response: { 200: workspaceListReply },
    },
    handler: async (request) => {
      const { accountId } = callerOf(request);
      const page = { accountId, ...pageOf(request.query) };
      const { workspaces: found, totalCount } = await workspaces.listWorkspaces(page);
      return { data: found.map(workspaceView), total_count: totalCount };
    },
  });
}

function createWorkspace(app: App, { workspaces, ids, inference }: WorkspacesDependencies): void {
  app.route({
    method: 'POST',
    url: '/v1/workspaces',
    config,
    schema: {
      operationId: 'createWorkspace',
      summary: 'Create a workspace; no two of an account have the same slug',
      body: createWorkspaceBody,
      response: { 201: workspaceReply },
    },
    handler: async (request, reply) => {
      const { userId } = callerOf(request);
      await assertKnownModel(inference, 'default_text_model', request.body.default_text_model);
      const context = commandContextOf(request, ids);
      const command = createWorkspaceRequest(request.body, context, userId);
      const { workspace } = await workspaces.createWorkspace(command);
      return reply.code(201).send({ data: workspaceView(workspace) });
    },
  });
}

function readWorkspace(app: App, { workspaces }: WorkspacesDependencies): void {
  app.route({
    method: 'GET',
    url: '/v1/workspaces/:id',
    config,
    schema: {
      operationId: 'getWorkspace',
      summary: 'Read a workspace by its id or its slug',
      params: anyWorkspace,
      response: { 200: workspaceReply },
    },
    handler: async (request) => {
      const { accountId } = callerOf(request);
      const asked = { accountId, workspaceId: request.params.id };
      return { data: workspaceView((await workspaces.getWorkspace(asked)).workspace) };
    },
  });
}

function updateWorkspace(app: App, { workspaces, ids, inference }: WorkspacesDependencies): void {
  app.route({
    method: 'PATCH',
    url: '/v1/workspaces/:id',
    config: { ...config, errors: [409] },
    schema: {
      operationId: 'updateWorkspace',
      summary: 'Change a workspace; a field that is left out stays as it is',
      params: wellFormedWorkspace,
      body: updateWorkspaceBody,
      response: { 200: workspaceReply },
    },
    handler: async (request) => {
      await assertKnownModel(inference, 'default_text_model', request.body.default_text_model);
      const context = commandContextOf(request, ids);
      const command = updateWorkspaceRequest(request.body, request.params.id, context);
      return { data: workspaceView((await workspaces.updateWorkspace(command)).workspace) };
    },
  });
}

function deleteWorkspace(app: App, { workspaces, ids }: WorkspacesDependencies): void {
  app.route({
    method: 'DELETE',
    url: '/v1/workspaces/:id',
    config: { ...config, errors: [400] },
    schema: {
      operationId: 'deleteWorkspace',
      summary: 'Delete a workspace without keys; the default one takes its keys along',
      params: wellFormedWorkspace,
      querystring: deleteWorkspaceQuery,
      response: { 200: deletedReply },
    },
    handler: async (request) => {
      const context = commandContextOf(request, ids);
      const confirmDefault = request.query.confirm_default_workspace_deletion === 'true';
      await workspaces.deleteWorkspace({
        context,
        workspaceRef: request.params.id,
        confirmDefault,
      });
      return { deleted: true };
    },
  });
}
