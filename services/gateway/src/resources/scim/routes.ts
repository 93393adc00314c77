import { invalidRequest, rejectionToFault } from '@sluice/errors';
import type { Ids } from '@sluice/clock-and-ids';
import type { ScimCalls } from '../../clients/calls.ts';
import { present } from '../../clients/present.ts';
import type { App } from '../../http/app-types.ts';
import { AccountRoutes } from '../../http/routes/account-routes.ts';
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
export function scimRoutes(app: App, { scim, ids }: ScimDependencies): void {
  const routes = new AccountRoutes(app, ids, config);
  readRoutes(routes, scim);
  mappingRoutes(routes, scim);
  syncRoutes(routes, scim);
}

function readRoutes(routes: AccountRoutes, scim: ScimCalls): void {
  routes.get('/v1/scim/groups', {
    operationId: 'listScimGroups',
    summary: 'List the groups of the directory, by name',
    query: scimListQuery,
    answer: groupListReply,
    config: { errors: [400, 404] },
    handle: async ({ accountId, query }) => {
      const found = await scim.listGroups({ accountId, ...pageOf(query) });
      const data = found.groups.map((group) => groupView(accountId, group));
      return { data, total_count: found.totalCount };
    },
  });
  routes.get('/v1/scim/group-mappings', {
    operationId: 'listScimGroupMappings',
    summary: 'List which groups open which workspaces, the newest first',
    query: scimListQuery,
    answer: mappingListReply,
    config: { errors: [400, 404] },
    handle: async ({ accountId, query }) => {
      const found = await scim.listMappings({ accountId, ...pageOf(query) });
      const data = found.mappings.map((mapping) => mappingView(accountId, mapping));
      return { data, total_count: found.totalCount };
    },
  });
  routes.get('/v1/scim/group-mappings/:id', {
    operationId: 'getScimGroupMapping',
    summary: 'Read what a group of the directory opens',
    params: anyMapping,
    answer: mappingReply,
    handle: async ({ accountId, params: { id: mappingId } }) => {
      const { mapping } = await scim.getMapping({ accountId, mappingId });
      return { data: mappingView(accountId, mapping) };
    },
  });
}

function mappingRoutes(routes: AccountRoutes, scim: ScimCalls): void {
  routes.change('POST', '/v1/scim/group-mappings', {
    operationId: 'createScimGroupMapping',
    summary: 'Let a group of the directory into a workspace',
    body: createMappingBody,
    answer: mappingReply,
    status: 201,
    config: { errors: [404, 409] },
    handle: async ({ accountId, context, body }) => {
      const { scim_group_id: groupId, workspace_id: workspaceId, role } = body;
      const { mapping } = await scim.createMapping({ context, groupId, workspaceId, role });
      return { data: mappingView(accountId, mapping) };
    },
  });
  routes.change('PATCH', '/v1/scim/group-mappings/:id', {
    operationId: 'updateScimGroupMapping',
    summary: 'Change the role that a group has in a workspace',
    params: wellFormedMapping,
    body: updateMappingBody,
    answer: mappingReply,
    handle: async ({ accountId, context, params: { id: mappingId }, body: { role } }) => {
      const { mapping } = await scim.changeMappingRole({ context, mappingId, role });
      return { data: mappingView(accountId, mapping) };
    },
  });
  routes.change('DELETE', '/v1/scim/group-mappings/:id', {
    operationId: 'deleteScimGroupMapping',
    summary: 'Close a workspace to a group; whom it let in stays or not',
    params: wellFormedMapping,
    query: deleteMappingQuery,
    answer: deletedReply,
    config: { errors: [400, 404] },
    handle: async ({ context, params: { id: mappingId }, query }) => {
      const keepMembers = query.keep_members === 'true';
      await scim.deleteMapping({ context, mappingId, keepMembers });
      return { deleted: true };
    },
  });
}

function syncRoutes(routes: AccountRoutes, scim: ScimCalls): void {
  routes.change('POST', '/v1/scim/sync-jobs', {
    operationId: 'requestScimSync',
    summary: 'Pull the directory; the job that is open is answered where there is one',
    answer: syncJobReply,
    status: 202,
    config: { body: 'none' },
    handle: async ({ context, request, reply }) => {
      if (!isEmpty(request.body))
        throw rejectionToFault(invalidRequest([{ path: 'body', message: 'must be empty' }]));
      const job = present((await scim.requestSync({ context })).job);
      reply.header('location', `/v1/scim/sync-jobs/${job.jobId}`);
      reply.header('retry-after', retryAfterSeconds);
      return { data: syncJobView(job) };
    },
  });
  routes.get('/v1/scim/sync-jobs/:id', {
    operationId: 'getScimSyncJob',
    summary: 'Read how far a pull of the directory has come',
    params: anySyncJob,
    answer: syncJobReply,
    handle: async ({ accountId, params: { id: jobId } }) => {
      const { job } = await scim.getSyncJob({ accountId, jobId });
      return { data: syncJobView(present(job)) };
    },
  });
}

/** Some clients send `{}` where there is nothing to say. */
function isEmpty(body: unknown): boolean {
  if (body === undefined || body === null) return true;
  return typeof body === 'object' && Object.keys(body).length === 0;
}
