import type { Ids } from '@sluice/clock-and-ids';
import { Type } from 'typebox';
import type { EndUserCalls } from '../../clients/calls.ts';
import type { App } from '../../http/app-types.ts';
import { AccountRoutes } from '../../http/routes/account-routes.ts';
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

export function endUsersRoutes(app: App, { endUsers, ids }: EndUsersDependencies): void {
  const config = { auth: 'management', organization: true, errors: [400, 404] } as const;
  const routes = new AccountRoutes(app, ids, config);
  routes.get('/v1/end-users', {
    operationId: 'listEndUsers',
    summary: 'List the registered end users, by code point',
    query: listEndUsersQuery,
    answer: endUserListReply,
    config: { errors: [400] },
    handle: async ({ accountId, query }) => {
      const includeInactive = query.include_inactive === 'true';
      const page = { accountId, user: query.user, includeInactive, ...pageOf(query) };
      const found = await endUsers.listEndUsers(page);
      return { data: found.endUsers.map(endUserView), total_count: found.totalCount };
    },
  });
  routes.change('POST', '/v1/end-users', {
    operationId: 'registerEndUser',
    summary: 'Register an end user, once',
    body: registerEndUserBody,
    answer: endUserReply,
    status: 201,
    config: { errors: [400, 409] },
    handle: async ({ context, body: { user } }) => {
      const { endUser } = await endUsers.registerEndUser({ context, user });
      return { data: endUserView(endUser) };
    },
  });
  routes.get('/v1/end-users/:user', {
    operationId: 'getEndUser',
    summary: 'Read a registered end user, active or not',
    params: endUserParams,
    answer: endUserReply,
    handle: async ({ accountId, params: { user } }) => {
      const { endUser } = await endUsers.getEndUser({ accountId, user });
      return { data: endUserView(endUser) };
    },
  });
  routes.change('PATCH', '/v1/end-users/:user', {
    operationId: 'updateEndUser',
    summary: 'Say whether a registered end user is active',
    params: endUserParams,
    body: updateEndUserBody,
    answer: endUserReply,
    handle: async ({ context, params: { user }, body }) => {
      const command = { context, user, isActive: body.is_active };
      const { endUser } = await endUsers.setEndUserActive(command);
      return { data: endUserView(endUser) };
    },
  });
  routes.change('DELETE', '/v1/end-users/:user', {
    operationId: 'deactivateEndUser',
    summary: 'Deactivate a registered end user, as often as one likes',
    params: endUserParams,
    answer: Type.Null({ description: 'Nothing to say' }),
    status: 204,
    handle: async ({ context, params: { user } }) => {
      await endUsers.deactivateEndUser({ context, user });
      return null;
    },
  });
}
