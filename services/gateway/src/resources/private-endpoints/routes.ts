import type { Ids } from '@sluice/clock-and-ids';
import type { PrivateEndpointCalls } from '../../clients/calls.ts';
import type { App } from '../../http/app-types.ts';
import { AccountRoutes } from '../../http/routes/account-routes.ts';
import { present } from '../../clients/present.ts';
import { idempotencyKeyOf } from '../../http/request/idempotency-key.ts';
import { createEndpointRequest, updateEndpointRequest } from './commands.ts';
import { assertActivated } from './draft-kept.ts';
import {
  anyEndpointId,
  createEndpointBody,
  deletedEndpointReply,
  deleteEndpointQuery,
  endpointListReply,
  endpointPricingBody,
  fullEndpointReply,
  managedEndpointReply,
  updateEndpointBody,
  validateEndpointBody,
  validationReply,
  wellFormedEndpointId,
} from './schema.ts';
import {
  endpointSummaryView,
  fullEndpointView,
  managedEndpointView,
  validationView,
} from './view.ts';

export interface PrivateEndpointsDependencies {
  readonly privateEndpoints: PrivateEndpointCalls;
  readonly ids: Ids;
}

const url = '/v1/private-endpoints/:id';

/** Endpoints that an organization runs itself. The account service refuses personal accounts with 403. */
export function privateEndpointsRoutes(app: App, dependencies: PrivateEndpointsDependencies): void {
  readRoutes(app, dependencies);
  draftRoutes(app, dependencies);
  switchRoutes(app, dependencies);
}

function readRoutes(app: App, { privateEndpoints, ids }: PrivateEndpointsDependencies): void {
  const routes = new AccountRoutes(app, ids, { auth: 'management', errors: [] });
  routes.get('/v1/private-endpoints', {
    operationId: 'listPrivateEndpoints',
    summary: 'List the private endpoints of the organization, the newest first',
    answer: endpointListReply,
    handle: async ({ accountId }) => {
      const { endpoints } = await privateEndpoints.listPrivateEndpoints({ accountId });
      return { data: endpoints.map(endpointSummaryView) };
    },
  });
  routes.get(url, {
    operationId: 'getPrivateEndpoint',
    summary: 'Read a private endpoint with its upstream and its rates',
    params: anyEndpointId,
    answer: fullEndpointReply,
    config: { errors: [404] },
    handle: async ({ accountId, params: { id: endpointId } }) => {
      const { endpoint } = await privateEndpoints.getPrivateEndpoint({ accountId, endpointId });
      return { data: fullEndpointView(endpoint) };
    },
  });
}

/** The statuses of failed changes, besides those that their kind brings. */
const changeErrors = [400, 404, 409, 422, 502] as const;

function draftRoutes(app: App, { privateEndpoints, ids }: PrivateEndpointsDependencies): void {
  const routes = new AccountRoutes(app, ids, { auth: 'management', errors: changeErrors });
  routes.change('POST', '/v1/private-endpoints', {
    operationId: 'createPrivateEndpoint',
    summary: 'Make a draft of a private endpoint, and if asked validate and activate it',
    body: createEndpointBody,
    answer: managedEndpointReply,
    status: 201,
    config: { idempotency: 'own' },
    handle: async ({ request, context, body }) => {
      const asked = createEndpointRequest(body, context, idempotencyKeyOf(request) ?? '');
      const created = await privateEndpoints.createPrivateEndpoint(asked);
      assertActivated(created);
      return { data: managedEndpointView(created.endpoint) };
    },
  });
  routes.change('PATCH', url, {
    operationId: 'updatePrivateEndpoint',
    summary: 'Change the upstream of a draft; its validation is void then',
    params: wellFormedEndpointId,
    body: updateEndpointBody,
    answer: fullEndpointReply,
    handle: async ({ context, params: { id: endpointId }, body }) => {
      const asked = updateEndpointRequest(body, endpointId, context);
      const { endpoint } = await privateEndpoints.reconfigurePrivateEndpoint(asked);
      return { data: fullEndpointView(endpoint) };
    },
  });
  routes.change('POST', `${url}/validate`, {
    operationId: 'validatePrivateEndpoint',
    summary: 'Call the upstream of a draft with a provider credential of a workspace',
    params: wellFormedEndpointId,
    body: validateEndpointBody,
    answer: validationReply,
    handle: async ({ context, params: { id: endpointId }, body: { workspace_id } }) => {
      const asked = { context, endpointId, workspaceId: workspace_id };
      const { validation } = await privateEndpoints.validatePrivateEndpoint(asked);
      return { data: validationView(present(validation)) };
    },
  });
}

function switchRoutes(app: App, { privateEndpoints, ids }: PrivateEndpointsDependencies): void {
  const routes = new AccountRoutes(app, ids, { auth: 'management', errors: changeErrors });
  const change = (
    word: string,
    { operationId, summary }: { readonly operationId: string; readonly summary: string },
    call: PrivateEndpointCalls['enablePrivateEndpoint'],
  ) =>
    routes.change('POST', `${url}/${word}`, {
      operationId,
      summary,
      params: wellFormedEndpointId,
      answer: managedEndpointReply,
      config: { body: 'none' },
      handle: async ({ context, params: { id: endpointId } }) => ({
        data: managedEndpointView((await call({ context, endpointId })).endpoint),
      }),
    });
  change(
    'activate',
    {
      operationId: 'activatePrivateEndpoint',
      summary: 'Activate a draft that passed its validation within a day',
    },
    (asked) => privateEndpoints.activatePrivateEndpoint(asked),
  );
  change(
    'enable',
    { operationId: 'enablePrivateEndpoint', summary: 'Enable a disabled private endpoint' },
    (asked) => privateEndpoints.enablePrivateEndpoint(asked),
  );
  change(
    'disable',
    { operationId: 'disablePrivateEndpoint', summary: 'Disable an active private endpoint' },
    (asked) => privateEndpoints.disablePrivateEndpoint(asked),
  );
  routes.change('PUT', `${url}/pricing`, {
    operationId: 'setPrivateEndpointPricing',
    summary: 'Set the rates of later requests to a private endpoint',
    params: wellFormedEndpointId,
    body: endpointPricingBody,
    answer: fullEndpointReply,
    handle: async ({ context, params: { id: endpointId }, body: { pricing } }) => {
      const asked = { context, endpointId, pricing };
      const { endpoint } = await privateEndpoints.repricePrivateEndpoint(asked);
      return { data: fullEndpointView(endpoint) };
    },
  });
  routes.change('DELETE', url, {
    operationId: 'deletePrivateEndpoint',
    summary: 'Delete a private endpoint',
    params: wellFormedEndpointId,
    query: deleteEndpointQuery,
    answer: deletedEndpointReply,
    handle: async ({ context, params: { id: endpointId }, query }) => {
      const draftOnly = query.draft_only === 'true';
      await privateEndpoints.deletePrivateEndpoint({ context, endpointId, draftOnly });
      return { data: { id: endpointId.toLowerCase() } };
    },
  });
}
