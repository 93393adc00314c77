import { invalidRequest, rejectionToFault } from '@sluice/errors';
import type { Ids } from '@sluice/clock-and-ids';
import type { ScimCalls } from '../../clients/calls.ts';
import { present } from '../../clients/present.ts';
import type { App } from '../../http/app-types.ts';
import { callerOf, commandContextOf } from '../../http/caller.ts';
import { pageOf } from '../../http/schemas/page.ts';
import {
  anyMapping,
  anySyncJob,
  createMappingBody,
  deleteMappingQuery,
  groupListReply,
  mappingListReply,
  mappingReply,
  scimListQuery,
  syncJobReply,
  updateMappingBody,
  wellFormedMapping,
} from './schema.ts';
import { deletedReply } from '../../http/schemas/replies.ts';
import { groupView, mappingView, syncJobView } from './view.ts';

export interface ScimDependencies {
  readonly scim: ScimCalls;
  readonly ids: Ids;
}

const config = {
  auth: 'management',
  organization: true,
  entitlement: 'scim',
  errors: [404],
} as const;
const retryAfterSeconds = 2;

/** Serves the mappings of directory groups. The groups are read only: the directory owns them. */
export function scimRoutes(app: App, dependencies: ScimDependencies): void {
  listGroups(app, dependencies);
  listMappings(app, dependencies);
  createMapping(app, dependencies);
  readMapping(app, dependencies);
  updateMapping(app, dependencies);
  deleteMapping(app, dependencies);
  requestSync(app, dependencies);
  readSyncJob(app, dependencies);
}

function listGroups(app: App, { scim }: ScimDependencies): void {
  app.route({
    method: 'GET',
    url: '/v1/scim/groups',
    config: { ...config, errors: [400, 404] },
    schema: {
      operationId: 'listScimGroups',
      summary: 'List the groups of the directory, by name',
      querystring: scimListQuery,
      response: { 200: groupListReply },
    },
    handler: async (request) => {
      const { accountId } = callerOf(request);
      const found = await scim.listGroups({ accountId, ...pageOf(request.query) });
      const data = found.groups.map((group) => groupView(accountId, group));
      return { data, total_count: found.totalCount };
    },
  });
}

function listMappings(app: App, { scim }: ScimDependencies): void {
  app.route({
    method: 'GET',
    url: '/v1/scim/group-mappings',
    config: { ...config, errors: [400, 404] },
    schema: {
      operationId: 'listScimGroupMappings',
      summary: 'List which groups open which workspaces, the newest first',
      querystring: scimListQuery,
      response: { 200: mappingListReply },
    },
    handler: async (request) => {
      const { accountId } = callerOf(request);
      const found = await scim.listMappings({ accountId, ...pageOf(request.query) });
      const data = found.mappings.map((mapping) => mappingView(accountId, mapping));
      return { data, total_count: found.totalCount };
    },
  });
}

function createMapping(app: App, { scim, ids }: ScimDependencies): void {
  app.route({
    method: 'POST',
    url: '/v1/scim/group-mappings',
    config: { ...config, errors: [404, 409] },
    schema: {
      operationId: 'createScimGroupMapping',
      summary: 'Let a group of the directory into a workspace',
      body: createMappingBody,
      response: { 201: mappingReply },
    },
    handler: async (request, reply) => {
      const context = commandContextOf(request, ids);
      const { scim_group_id: groupId, workspace_id: workspaceId, role } = request.body;
      const { mapping } = await scim.createMapping({ context, groupId, workspaceId, role });
      return reply.code(201).send({ data: mappingView(context.accountId, mapping) });
    },
  });
}

function readMapping(app: App, { scim }: ScimDependencies): void {
  app.route({
    method: 'GET',
    url: '/v1/scim/group-mappings/:id',
    config,
    schema: {
      operationId: 'getScimGroupMapping',
      summary: 'Read what a group of the directory opens',
      params: anyMapping,
      response: { 200: mappingReply },
    },
    handler: async (request) => {
      const { accountId } = callerOf(request);
      const { mapping } = await scim.getMapping({ accountId, mappingId: request.params.id });
      return { data: mappingView(accountId, mapping) };
    },
  });
}

function updateMapping(app: App, { scim, ids }: ScimDependencies): void {
  app.route({
    method: 'PATCH',
    url: '/v1/scim/group-mappings/:id',
    config,
    schema: {
      operationId: 'updateScimGroupMapping',
      summary: 'Change the role that a group has in a workspace',
      params: wellFormedMapping,
      body: updateMappingBody,
      response: { 200: mappingReply },
    },
    handler: async (request) => {
      const context = commandContextOf(request, ids);
      const { id: mappingId } = request.params;
      const { role } = request.body;
      const { mapping } = await scim.changeMappingRole({ context, mappingId, role });
      return { data: mappingView(context.accountId, mapping) };
    },
  });
}

function deleteMapping(app: App, { scim, ids }: ScimDependencies): void {
  app.route({
    method: 'DELETE',
    url: '/v1/scim/group-mappings/:id',
    config: { ...config, errors: [400, 404] },
    schema: {
      operationId: 'deleteScimGroupMapping',
      summary: 'Close a workspace to a group; whom it let in stays or not',
      params: wellFormedMapping,
      querystring: deleteMappingQuery,
      response: { 200: deletedReply },
    },
    handler: async (request) => {
      const context = commandContextOf(request, ids);
      const { id: mappingId } = request.params;
      const keepMembers = request.query.keep_members === 'true';
      await scim.deleteMapping({ context, mappingId, keepMembers });
      return { deleted: true };
    },
  });
}

function requestSync(app: App, { scim, ids }: ScimDependencies): void {
  app.route({
    method: 'POST',
    url: '/v1/scim/sync-jobs',
    config: { ...config, body: 'none' },
    schema: {
      operationId: 'requestScimSync',
      summary: 'Pull the directory; the job that is open is answered where there is one',
      response: { 202: syncJobReply },
    },
    handler: async (request, reply) => {
      if (!isEmpty(request.body))
        throw rejectionToFault(invalidRequest([{ path: 'body', message: 'must be empty' }]));
      const context = commandContextOf(request, ids);
      const job = present((await scim.requestSync({ context })).job);
      reply.header('location', `/v1/scim/sync-jobs/${job.jobId}`);
      reply.header('retry-after', retryAfterSeconds);
      return reply.code(202).send({ data: syncJobView(job) });
    },
  });
}

function readSyncJob(app: App, { scim }: ScimDependencies): void {
  app.route({
    method: 'GET',
    url: '/v1/scim/sync-jobs/:id',
    config,
    schema: {
      operationId: 'getScimSyncJob',
      summary: 'Read how far a pull of the directory has come',
      params: anySyncJob,
      response: { 200: syncJobReply },
    },
    handler: async (request) => {
      const { accountId } = callerOf(request);
      const { job } = await scim.getSyncJob({ accountId, jobId: request.params.id });
      return { data: syncJobView(present(job)) };
    },
  });
}

/** Some clients send `{}` where there is nothing to say. */
function isEmpty(body: unknown): boolean {
  if (body === undefined || body === null) return true;
  return typeof body === 'object' && Object.keys(body).length === 0;
}
