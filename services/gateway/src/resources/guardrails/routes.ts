import type { Ids } from '@sluice/clock-and-ids';
import type { GuardrailCalls } from '../../clients/calls.ts';
import type { App } from '../../http/app-types.ts';
import { AccountRoutes } from '../../http/routes/account-routes.ts';
import { wholePage } from './whole-page.ts';
import { createGuardrailRequest, updateGuardrailRequest } from './commands.ts';
import {
  anyGuardrail,
  createGuardrailBody,
  guardrailListReply,
  guardrailReply,
  listGuardrailsQuery,
  updateGuardrailBody,
  wellFormedGuardrail,
} from './schema.ts';
import { deletedReply } from '../../http/schemas/replies.ts';
import { guardrailTestReply, testGuardrailBody } from './test-schema.ts';
import { unsupportedFeaturesRoutes } from './feature-routes.ts';
import { allowedPhrasesRoutes } from './phrase-routes.ts';
import { pageOf } from '../../http/schemas/page.ts';
import { testView } from './test-view.ts';
import { guardrailView } from './view.ts';

export interface GuardrailsDependencies {
  readonly guardrails: GuardrailCalls;
  readonly ids: Ids;
}

export function guardrailsRoutes(app: App, dependencies: GuardrailsDependencies): void {
  const { guardrails, ids } = dependencies;
  const routes = new AccountRoutes(app, ids, { auth: 'management', errors: [] });
  routes.get('/v1/guardrails', {
    operationId: 'listGuardrails',
    summary: 'List the guardrails that are kept in a workspace, newest first',
    query: listGuardrailsQuery,
    answer: guardrailListReply,
    config: { errors: [400] },
    handle: async ({ accountId, query }) => {
      const { workspace_id: workspaceId = '' } = query;
      const page = { accountId, workspaceId, ...pageOf(query) };
      const found = await wholePage(guardrails, page);
      return { data: found.guardrails.map(guardrailView), total_count: found.totalCount };
    },
  });
  routes.change('POST', '/v1/guardrails', {
    operationId: 'createGuardrail',
    summary: 'Create a guardrail; it holds for nobody until it is assigned',
    body: createGuardrailBody,
    answer: guardrailReply,
    status: 201,
    handle: async ({ context, body }) => {
      const command = createGuardrailRequest(body, context);
      return { data: guardrailView((await guardrails.createGuardrail(command)).guardrail) };
    },
  });
  routes.get('/v1/guardrails/:id', {
    operationId: 'getGuardrail',
    summary: 'Read a guardrail',
    params: anyGuardrail,
    answer: guardrailReply,
    handle: async ({ accountId, params: { id: guardrailId } }) => {
      const { guardrail } = await guardrails.getGuardrail({ accountId, guardrailId });
      return { data: guardrailView(guardrail) };
    },
  });
  routes.change('PATCH', '/v1/guardrails/:id', {
    operationId: 'updateGuardrail',
    summary: 'Change a guardrail, or configure the default one of a workspace',
    params: wellFormedGuardrail,
    body: updateGuardrailBody,
    answer: guardrailReply,
    config: { errors: [409] },
    handle: async ({ context, params, body }) => {
      const command = updateGuardrailRequest(body, params.id, context);
      return { data: guardrailView((await guardrails.updateGuardrail(command)).guardrail) };
    },
  });
  routes.change('DELETE', '/v1/guardrails/:id', {
    operationId: 'deleteGuardrail',
    summary: 'Delete a guardrail with its assignments, or reset the default one of a workspace',
    params: anyGuardrail,
    answer: deletedReply,
    handle: async ({ context, params: { id: guardrailId } }) => {
      await guardrails.deleteGuardrail({ context, guardrailId });
      return { deleted: true };
    },
  });
  testRoute(routes, dependencies);
  allowedPhrasesRoutes(routes, dependencies);
  unsupportedFeaturesRoutes(routes, dependencies);
}

function testRoute(routes: AccountRoutes, { guardrails }: GuardrailsDependencies): void {
  routes.change('POST', '/v1/guardrails/:id/test', {
    operationId: 'testGuardrail',
    summary: 'Show what the content filters of a guardrail find in a text; nothing is sent',
    params: anyGuardrail,
    body: testGuardrailBody,
    answer: guardrailTestReply,
    handle: async ({ caller: { accountId }, params: { id: guardrailId }, body }) => {
      const { text, role = 'user' } = body;
      const isNotUserText = role !== 'user';
      const question = { accountId, guardrailId, text, isNotUserText };
      return { data: testView(await guardrails.testGuardrail(question)) };
    },
  });
}
