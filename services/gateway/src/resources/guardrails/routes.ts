import type { Ids } from '@sluice/clock-and-ids';
import type { GuardrailCalls } from '../../clients/calls.ts';
import type { App } from '../../http/app-types.ts';
import { callerOf, commandContextOf } from '../../http/caller.ts';
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

const config = { auth: 'management', errors: [] } as const;

export function guardrailsRoutes(app: App, dependencies: GuardrailsDependencies): void {
  listGuardrails(app, dependencies);
  createGuardrail(app, dependencies);
  readGuardrail(app, dependencies);
  updateGuardrail(app, dependencies);
  deleteGuardrail(app, dependencies);
  testGuardrail(app, dependencies);
  allowedPhrasesRoutes(app, dependencies);
  unsupportedFeaturesRoutes(app, dependencies);
}

function testGuardrail(app: App, { guardrails }: GuardrailsDependencies): void {
  app.route({
    method: 'POST',
    url: '/v1/guardrails/:id/test',
    config,
    schema: {
      operationId: 'testGuardrail',
      summary: 'Show what the content filters of a guardrail find in a text; nothing is sent',
      params: anyGuardrail,
      body: testGuardrailBody,
      response: { 200: guardrailTestReply },
    },
    handler: async (request) => {
      const { accountId } = callerOf(request);
      const { text, role = 'user' } = request.body;
      const guardrailId = request.params.id;
      const isNotUserText = role !== 'user';
      const question = { accountId, guardrailId, text, isNotUserText };
      return { data: testView(await guardrails.testGuardrail(question)) };
    },
  });
}

function listGuardrails(app: App, { guardrails }: GuardrailsDependencies): void {
  app.route({
    method: 'GET',
    url: '/v1/guardrails',
    config: { ...config, errors: [400] },
    schema: {
      operationId: 'listGuardrails',
      summary: 'List the guardrails that are kept in a workspace, newest first',
      querystring: listGuardrailsQuery,
      response: { 200: guardrailListReply },
    },
    handler: async (request) => {
      const { accountId } = callerOf(request);
      const { workspace_id: workspaceId = '' } = request.query;
      const page = { accountId, workspaceId, ...pageOf(request.query) };
      const found = await wholePage(guardrails, page);
      return { data: found.guardrails.map(guardrailView), total_count: found.totalCount };
    },
  });
}

function createGuardrail(app: App, { guardrails, ids }: GuardrailsDependencies): void {
  app.route({
    method: 'POST',
    url: '/v1/guardrails',
    config,
    schema: {
      operationId: 'createGuardrail',
      summary: 'Create a guardrail; it holds for nobody until it is assigned',
      body: createGuardrailBody,
      response: { 201: guardrailReply },
    },
    handler: async (request, reply) => {
      const context = commandContextOf(request, ids);
      const command = createGuardrailRequest(request.body, context);
      const { guardrail } = await guardrails.createGuardrail(command);
      return reply.code(201).send({ data: guardrailView(guardrail) });
    },
  });
}

function readGuardrail(app: App, { guardrails }: GuardrailsDependencies): void {
  app.route({
    method: 'GET',
    url: '/v1/guardrails/:id',
    config,
    schema: {
      operationId: 'getGuardrail',
      summary: 'Read a guardrail',
      params: anyGuardrail,
      response: { 200: guardrailReply },
    },
    handler: async (request) => {
      const { accountId } = callerOf(request);
      const asked = { accountId, guardrailId: request.params.id };
      return { data: guardrailView((await guardrails.getGuardrail(asked)).guardrail) };
    },
  });
}

function updateGuardrail(app: App, { guardrails, ids }: GuardrailsDependencies): void {
  app.route({
    method: 'PATCH',
    url: '/v1/guardrails/:id',
    config: { ...config, errors: [409] },
    schema: {
      operationId: 'updateGuardrail',
      summary: 'Change a guardrail, or configure the default one of a workspace',
      params: wellFormedGuardrail,
      body: updateGuardrailBody,
      response: { 200: guardrailReply },
    },
    handler: async (request) => {
      const context = commandContextOf(request, ids);
      const command = updateGuardrailRequest(request.body, request.params.id, context);
      return { data: guardrailView((await guardrails.updateGuardrail(command)).guardrail) };
    },
  });
}

function deleteGuardrail(app: App, { guardrails, ids }: GuardrailsDependencies): void {
  app.route({
    method: 'DELETE',
    url: '/v1/guardrails/:id',
    config,
    schema: {
      operationId: 'deleteGuardrail',
      summary: 'Delete a guardrail with its assignments, or reset the default one of a workspace',
      params: anyGuardrail,
      response: { 200: deletedReply },
    },
    handler: async (request) => {
      const context = commandContextOf(request, ids);
      await guardrails.deleteGuardrail({ context, guardrailId: request.params.id });
      return { deleted: true };
    },
  });
}
