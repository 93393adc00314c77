import type { InferencePort } from '@sluice/inference-port';
import type { Ids } from '@sluice/clock-and-ids';
import type { ByokCalls } from '../../clients/calls.ts';
import type { App } from '../../http/app-types.ts';
import { addCredentialRequest, updateCredentialRequest } from './commands.ts';
import { callerOf, commandContextOf } from '../../http/caller.ts';
import { assertKnownProvider } from './known-provider.ts';
import {
  addCredentialBody,
  anyCredentialId,
  credentialListReply,
  credentialReply,
  listCredentialsQuery,
  updateCredentialBody,
  wellFormedCredentialId,
} from './schema.ts';
import { deletedReply } from '../../http/schemas/replies.ts';
import { idempotencyHeaders } from '../../http/schemas/idempotency.ts';
import { pageOf } from '../../http/schemas/page.ts';
import { credentialView } from './view.ts';

export interface ByokDependencies {
  readonly byok: ByokCalls;
  readonly ids: Ids;
  /** Knows the providers that only this installation has. */
  readonly inference: Pick<InferencePort, 'readCatalog'>;
}

const config = { auth: 'management', errors: [] } as const;
const configOfOne = { ...config, errors: [404] } as const;

/** Provider credentials of the account's own: their secrets go in and never come out. */
export function byokRoutes(app: App, dependencies: ByokDependencies): void {
  listCredentials(app, dependencies);
  addCredential(app, dependencies);
  readCredential(app, dependencies);
  updateCredential(app, dependencies);
  deleteCredential(app, dependencies);
}

function listCredentials(app: App, { byok }: ByokDependencies): void {
  app.route({
    method: 'GET',
    url: '/v1/byok',
    config: { ...config, errors: [400] },
    schema: {
      operationId: 'listCredentials',
      summary: 'List the provider credentials of a workspace, in the order in which they are tried',
      querystring: listCredentialsQuery,
      response: { 200: credentialListReply },
    },
    handler: async (request) => {
      const { accountId } = callerOf(request);
      const { workspace_id: workspaceId = '', provider } = request.query;
      const asked = { accountId, workspaceId, provider, ...pageOf(request.query) };
      const { credentials, totalCount } = await byok.listCredentials(asked);
      return { data: credentials.map(credentialView), total_count: Number(totalCount) };
    },
  });
}

function addCredential(app: App, { byok, ids, inference }: ByokDependencies): void {
  app.route({
    method: 'POST',
    url: '/v1/byok',
    config,
    schema: {
      operationId: 'addCredential',
      summary: 'Add a provider credential; its secret is sealed and never shown',
      body: addCredentialBody,
      headers: idempotencyHeaders,
      response: { 201: credentialReply },
    },
    handler: async (request, reply) => {
      const context = commandContextOf(request, ids);
      await assertKnownProvider(inference, request.body.provider);
      const command = addCredentialRequest(request.body, context);
      const { credential } = await byok.addCredential(command);
      return reply.code(201).send({ data: credentialView(credential) });
    },
  });
}

function readCredential(app: App, { byok }: ByokDependencies): void {
  app.route({
    method: 'GET',
    url: '/v1/byok/:id',
    config: configOfOne,
    schema: {
      operationId: 'getCredential',
      summary: 'Read a provider credential',
      params: anyCredentialId,
      response: { 200: credentialReply },
    },
    handler: async (request) => {
      const { accountId } = callerOf(request);
      const asked = { accountId, credentialId: idOf(request.params) };
      return { data: credentialView((await byok.getCredential(asked)).credential) };
    },
  });
}

function updateCredential(app: App, { byok, ids }: ByokDependencies): void {
  app.route({
    method: 'PATCH',
    url: '/v1/byok/:id',
    config: configOfOne,
    schema: {
      operationId: 'updateCredential',
      summary: 'Change a provider credential, or put another secret in its place',
      params: wellFormedCredentialId,
      body: updateCredentialBody,
      response: { 200: credentialReply },
    },
    handler: async (request) => {
      const context = commandContextOf(request, ids);
      const command = updateCredentialRequest(request.body, idOf(request.params), context);
      return { data: credentialView((await byok.updateCredential(command)).credential) };
    },
  });
}

function deleteCredential(app: App, { byok, ids }: ByokDependencies): void {
  app.route({
    method: 'DELETE',
    url: '/v1/byok/:id',
    config: configOfOne,
    schema: {
      operationId: 'deleteCredential',
      summary: 'Delete a provider credential; its secret is erased',
      params: anyCredentialId,
      response: { 200: deletedReply },
    },
    handler: async (request) => {
      const context = commandContextOf(request, ids);
      await byok.deleteCredential({ context, credentialId: idOf(request.params) });
      return { deleted: true };
    },
  });
}

/** UUIDs are written in lower case, and read in either. */
function idOf({ id }: { readonly id: string }): string {
  return id.toLowerCase();
}
