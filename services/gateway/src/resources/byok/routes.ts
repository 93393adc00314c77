import type { InferencePort } from '@sluice/inference-port';
import type { Ids } from '@sluice/clock-and-ids';
import type { ByokCalls } from '../../clients/calls.ts';
import type { App } from '../../http/app-types.ts';
import { addCredentialRequest, updateCredentialRequest } from './commands.ts';
import { AccountRoutes } from '../../http/routes/account-routes.ts';
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

/** Provider credentials of the account's own: their secrets go in and never come out. */
export function byokRoutes(app: App, { byok, ids, inference }: ByokDependencies): void {
  const routes = new AccountRoutes(app, ids, { auth: 'management', errors: [404] });
  routes.get('/v1/byok', {
    operationId: 'listCredentials',
    summary: 'List the provider credentials of a workspace, in the order in which they are tried',
    query: listCredentialsQuery,
    answer: credentialListReply,
    config: { errors: [400] },
    handle: async ({ accountId, query }) => {
      const { workspace_id: workspaceId = '', provider } = query;
      const asked = { accountId, workspaceId, provider, ...pageOf(query) };
      const { credentials, totalCount } = await byok.listCredentials(asked);
      return { data: credentials.map(credentialView), total_count: Number(totalCount) };
    },
  });
  routes.change('POST', '/v1/byok', {
    operationId: 'addCredential',
    summary: 'Add a provider credential; its secret is sealed and never shown',
    body: addCredentialBody,
    headers: idempotencyHeaders,
    answer: credentialReply,
    status: 201,
    config: { errors: [] },
    handle: async ({ context, body }) => {
      await assertKnownProvider(inference, body.provider);
      const { credential } = await byok.addCredential(addCredentialRequest(body, context));
      return { data: credentialView(credential) };
    },
  });
  routes.get('/v1/byok/:id', {
    operationId: 'getCredential',
    summary: 'Read a provider credential',
    params: anyCredentialId,
    answer: credentialReply,
    handle: async ({ accountId, params }) => {
      const { credential } = await byok.getCredential({ accountId, credentialId: idOf(params) });
      return { data: credentialView(credential) };
    },
  });
  routes.change('PATCH', '/v1/byok/:id', {
    operationId: 'updateCredential',
    summary: 'Change a provider credential, or put another secret in its place',
    params: wellFormedCredentialId,
    body: updateCredentialBody,
    answer: credentialReply,
    handle: async ({ context, params, body }) => {
      const command = updateCredentialRequest(body, idOf(params), context);
      return { data: credentialView((await byok.updateCredential(command)).credential) };
    },
  });
  routes.change('DELETE', '/v1/byok/:id', {
    operationId: 'deleteCredential',
    summary: 'Delete a provider credential; its secret is erased',
    params: anyCredentialId,
    answer: deletedReply,
    handle: async ({ context, params }) => {
      await byok.deleteCredential({ context, credentialId: idOf(params) });
      return { deleted: true };
    },
  });
}

/** UUIDs are written in lower case, and read in either. */
function idOf({ id }: { readonly id: string }): string {
  return id.toLowerCase();
}
