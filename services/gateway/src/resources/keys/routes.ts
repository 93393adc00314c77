import { Fault } from '@sluice/errors';
import type { Ids } from '@sluice/clock-and-ids';
import type { KeyClient } from './client.ts';
import { noSpend, type LedgerClient } from '../../clients/ledger-client.ts';
import { present } from '../../clients/present.ts';
import type { PrincipalCache } from '../../keys/principal-cache.ts';
import type { App } from '../../http/app-types.ts';
import { callerOf, commandContextOf } from '../../http/caller.ts';
import { issueKeyRequest, updateKeyRequest } from './commands.ts';
import {
  anyHash,
  createKeyBody,
  keyCreatedReply,
  keyListReply,
  keyReply,
  listKeysQuery,
  updateKeyBody,
  wellFormedHash,
} from './schema.ts';
import { deletedReply } from '../../http/schemas/replies.ts';
import { keyHash } from '../../http/schemas/fields.ts';
import { keyView } from './view.ts';

export interface KeysDependencies {
  readonly keys: KeyClient;
  readonly ledger: LedgerClient;
  readonly principals: Pick<PrincipalCache, 'changed'>;
  readonly ids: Ids;
}

const config = { auth: 'management', rate: 'keys', errors: [] } as const;
const configOfOne = { ...config, errors: [404] } as const;

export function keysRoutes(app: App, dependencies: KeysDependencies): void {
  listKeys(app, dependencies);
  createKey(app, dependencies);
  readKey(app, dependencies);
  updateKey(app, dependencies);
  deleteKey(app, dependencies);
}

function listKeys(app: App, { keys, ledger }: KeysDependencies): void {
  app.route({
    method: 'GET',
    url: '/v1/keys',
    config: { ...config, errors: [400] },
    schema: {
      operationId: 'listKeys',
      summary: 'List the API keys of a workspace, the newest first',
      querystring: listKeysQuery,
      response: { 200: keyListReply },
    },
    handler: async (request) => {
      const { accountId } = callerOf(request);
      const { offset, include_disabled: includeDisabled, workspace_id } = request.query;
      const found = await keys.listKeys({
        accountId,
        workspaceId: workspace_id ?? '',
        includeDisabled: includeDisabled === 'true',
        offset: Number(offset ?? 0),
      });
      const hashes = found.map(({ hash }) => hash);
      const spends = await ledger.readSpend(accountId, hashes);
      return { data: found.map((key, index) => keyView(key, present(spends[index]))) };
    },
  });
}

function createKey(app: App, { keys, ids }: KeysDependencies): void {
  app.route({
    method: 'POST',
    url: '/v1/keys',
    config: { ...config, answersSecret: true },
    schema: {
      operationId: 'createKey',
      summary: 'Create an API key; its secret is shown this once',
      body: createKeyBody,
      response: { 201: keyCreatedReply },
    },
    handler: async (request, reply) => {
      const context = commandContextOf(request, ids);
      const keepSecret = request.idempotentAttempt !== undefined;
      const command = { ...issueKeyRequest(request.body, context), keepSecret };
      const { key, secret } = await keys.issueKey(command);
      // A new key has spent nothing; and no other failure may lose the secret, shown this once.
      return reply.code(201).send({ data: keyView(key, noSpend), key: secret });
    },
  });
}

function readKey(app: App, { keys, ledger }: KeysDependencies): void {
  app.route({
    method: 'GET',
    url: '/v1/keys/:hash',
    config: configOfOne,
    schema: {
      operationId: 'getKey',
      summary: 'Read an API key and what it has used',
      params: anyHash,
      response: { 200: keyReply },
    },
    handler: async (request) => {
      const { accountId } = callerOf(request);
      const key = await keys.findKey(accountId, foundOnly(request.params.hash));
      const [spend] = await ledger.readSpend(accountId, [key.hash]);
      return { data: keyView(key, present(spend)) };
    },
  });
}

function updateKey(app: App, { keys, ledger, principals, ids }: KeysDependencies): void {
  app.route({
    method: 'PATCH',
    url: '/v1/keys/:hash',
    config: configOfOne,
    schema: {
      operationId: 'updateKey',
      summary: 'Change an API key; a field that is left out stays as it is',
      params: wellFormedHash,
      body: updateKeyBody,
      response: { 200: keyReply },
    },
    handler: async (request) => {
      const { accountId } = callerOf(request);
      const { hash } = request.params;
      const context = commandContextOf(request, ids);
      const command = updateKeyRequest(request.body, hash, context);
      // Also when the answer is lost: the change may have been made.
      const changed = () => principals.changed({ hash, isRevoked: false });
      const key = await keys.updateKey(command).finally(changed);
      const [spend] = await ledger.readSpend(accountId, [hash]);
      return { data: keyView(key, present(spend)) };
    },
  });
}

function deleteKey(app: App, { keys, principals, ids }: KeysDependencies): void {
  app.route({
    method: 'DELETE',
    url: '/v1/keys/:hash',
    config: configOfOne,
    schema: {
      operationId: 'deleteKey',
      summary: 'Delete an API key',
      params: anyHash,
      response: { 200: deletedReply },
    },
    handler: async (request) => {
      const hash = foundOnly(request.params.hash);
      const context = commandContextOf(request, ids);
      await keys
        .deleteKey(context, hash)
        .finally(() => principals.changed({ hash, isRevoked: false }));
      return { deleted: true };
    },
  });
}

/** Throws not_found for a malformed hash, as for an unknown one. */
function foundOnly(hash: string): string {
  if (!keyHash.test(hash)) throw new Fault('not_found');
  return hash;
}
