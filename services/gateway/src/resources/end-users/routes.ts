import type { Ids } from '@sluice/clock-and-ids';
import { Type } from 'typebox';
import type { EndUserCalls } from '../../clients/calls.ts';
import type { App } from '../../http/app-types.ts';
import { callerOf, commandContextOf } from '../../http/caller.ts';
import {
  endUserListReply,
  endUserParams,
  endUserReply,
  listEndUsersQuery,
  registerEndUserBody,
  updateEndUserBody,
} from './schema.ts';
import { pageOf } from '../../http/schemas/page.ts';
import { endUserView } from './view.ts';

export interface EndUsersDependencies {
  readonly endUsers: EndUserCalls;
  readonly ids: Ids;
}

const config = { auth: 'management', organization: true, errors: [400] } as const;
const configOfOne = { ...config, errors: [400, 404] } as const;

export function endUsersRoutes(app: App, dependencies: EndUsersDependencies): void {
  listEndUsers(app, dependencies);
  registerEndUser(app, dependencies);
  readEndUser(app, dependencies);
  updateEndUser(app, dependencies);
  deactivateEndUser(app, dependencies);
}

function listEndUsers(app: App, { endUsers }: EndUsersDependencies): void {
  app.route({
    method: 'GET',
    url: '/v1/end-users',
    config,
    schema: {
      operationId: 'listEndUsers',
      summary: 'List the registered end users, by code point',
      querystring: listEndUsersQuery,
      response: { 200: endUserListReply },
    },
    handler: async (request) => {
      const { accountId } = callerOf(request);
      const { user, include_inactive: includeInactive } = request.query;
      const found = await endUsers.listEndUsers({
        accountId,
        user,
        includeInactive: includeInactive === 'true',
        ...pageOf(request.query),
      });
      return { data: found.endUsers.map(endUserView), total_count: found.totalCount };
    },
  });
}

function registerEndUser(app: App, { endUsers, ids }: EndUsersDependencies): void {
  app.route({
    method: 'POST',
    url: '/v1/end-users',
    config: { ...config, errors: [400, 409] },
    schema: {
      operationId: 'registerEndUser',
      summary: 'Register an end user, once',
      body: registerEndUserBody,
      response: { 201: endUserReply },
    },
    handler: async (request, reply) => {
      const context = commandContextOf(request, ids);
      const { endUser } = await endUsers.registerEndUser({ context, user: request.body.user });
      return reply.code(201).send({ data: endUserView(endUser) });
    },
  });
}

function readEndUser(app: App, { endUsers }: EndUsersDependencies): void {
  app.route({
    method: 'GET',
    url: '/v1/end-users/:user',
    config: configOfOne,
    schema: {
      operationId: 'getEndUser',
      summary: 'Read a registered end user, active or not',
      params: endUserParams,
      response: { 200: endUserReply },
    },
    handler: async (request) => {
      const { accountId } = callerOf(request);
      const { user } = request.params;
      return { data: endUserView((await endUsers.getEndUser({ accountId, user })).endUser) };
    },
  });
}

function updateEndUser(app: App, { endUsers, ids }: EndUsersDependencies): void {
  app.route({
    method: 'PATCH',
    url: '/v1/end-users/:user',
    config: configOfOne,
    schema: {
      operationId: 'updateEndUser',
      summary: 'Say whether a registered end user is active',
      params: endUserParams,
      body: updateEndUserBody,
      response: { 200: endUserReply },
    },
    handler: async (request) => {
      const context = commandContextOf(request, ids);
      const { user } = request.params;
      const { is_active: isActive } = request.body;
      const { endUser } = await endUsers.setEndUserActive({ context, user, isActive });
      return { data: endUserView(endUser) };
    },
  });
}

function deactivateEndUser(app: App, { endUsers, ids }: EndUsersDependencies): void {
  app.route({
    method: 'DELETE',
    url: '/v1/end-users/:user',
    config: configOfOne,
    schema: {
      operationId: 'deactivateEndUser',
      summary: 'Deactivate a registered end user, as often as one likes',
      params: endUserParams,
      response: { 204: Type.Null({ description: 'Nothing to say' }) },
    },
    handler: async (request, reply) => {
      const context = commandContextOf(request, ids);
      await endUsers.deactivateEndUser({ context, user: request.params.user });
      return reply.code(204).send(null);
    },
  });
}
