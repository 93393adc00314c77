import type { Ids } from '@sluice/clock-and-ids';
import type { DestinationCalls } from '../../clients/calls.ts';
import type { App } from '../../http/app-types.ts';
import { AccountRoutes } from '../../http/routes/account-routes.ts';
import { idempotencyHeaders } from '../../http/schemas/idempotency.ts';
import { pageOf } from '../../http/schemas/page.ts';
import { deletedReply } from '../../http/schemas/replies.ts';
import { createDestinationRequest, updateDestinationRequest } from './commands.ts';
import {
  anyDestinationId,
  createDestinationBody,
  destinationListReply,
  destinationReply,
  listDestinationsQuery,
  updateDestinationBody,
  wellFormedDestinationId,
} from './schema.ts';
import { destinationView } from './view.ts';

export interface DestinationDependencies {
  readonly destinations: DestinationCalls;
  readonly ids: Ids;
}

const path = '/v1/observability/destinations';

/** Destinations of traces: their secrets go in and come out masked. */
export function destinationsRoutes(app: App, { destinations, ids }: DestinationDependencies): void {
  const routes = new AccountRoutes(app, ids, { auth: 'management', errors: [404] });
  routes.get(path, {
    operationId: 'listDestinations',
    summary: 'List the destinations of a workspace, the newest first',
    query: listDestinationsQuery,
    answer: destinationListReply,
    config: { errors: [400] },
    handle: async ({ accountId, query }) => {
      const { workspace_id: workspaceId = '' } = query;
      const asked = { accountId, workspaceId, ...pageOf(query) };
      const { destinations: listed, totalCount } = await destinations.listDestinations(asked);
      return { data: listed.map(destinationView), total_count: Number(totalCount) };
    },
  });
  routes.change('POST', path, {
    operationId: 'createDestination',
    summary: 'Send traces of a workspace to a destination',
    body: createDestinationBody,
    headers: idempotencyHeaders,
    answer: destinationReply,
    status: 201,
    config: { errors: [409] },
    handle: async ({ context, body }) => {
      const command = createDestinationRequest(body, context);
      return { data: destinationView((await destinations.createDestination(command)).destination) };
    },
  });
  routes.get(`${path}/:id`, {
    operationId: 'getDestination',
    summary: 'Read a destination',
    params: anyDestinationId,
    answer: destinationReply,
    handle: async ({ accountId, params }) => {
      const destinationId = destinationIdOf(params);
      const { destination } = await destinations.getDestination({ accountId, destinationId });
      return { data: destinationView(destination) };
    },
  });
  routes.change('PATCH', `${path}/:id`, {
    operationId: 'updateDestination',
    summary: 'Change a destination; its config is merged key by key',
    params: wellFormedDestinationId,
    body: updateDestinationBody,
    answer: destinationReply,
    config: { errors: [404, 409] },
    handle: async ({ context, params, body }) => {
      const command = updateDestinationRequest(body, destinationIdOf(params), context);
      return { data: destinationView((await destinations.updateDestination(command)).destination) };
    },
  });
  routes.change('DELETE', `${path}/:id`, {
    operationId: 'deleteDestination',
    summary: 'Delete a destination; its secrets are erased',
    params: anyDestinationId,
    answer: deletedReply,
    handle: async ({ context, params }) => {
      await destinations.deleteDestination({ context, destinationId: destinationIdOf(params) });
      return { deleted: true };
    },
  });
}

/** UUIDs are written in lower case, and read in either. */
function destinationIdOf({ id }: { readonly id: string }): string {
  return id.toLowerCase();
}
