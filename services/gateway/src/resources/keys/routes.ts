import { Fault } from '@sluice/errors';
import type { Clock, Ids } from '@sluice/clock-and-ids';
import type { Key } from '@sluice/protos/sluice/key/v1/key';
import type { KeyCalls, LedgerCalls } from '../../clients/calls.ts';
import { findKey } from '../../clients/find-key.ts';
import { noSpend, readSpend, spendOf } from '../../clients/key-spend.ts';
import { present } from '../../clients/present.ts';
import type { PrincipalCache } from '../../keys/principal-cache.ts';
import type { App } from '../../http/app-types.ts';
import { AccountRoutes } from '../../http/routes/account-routes.ts';
import { issueKeyRequest, updateKeyRequest } from './commands.ts';
import {
  anyHash,
  createKeyBody,
  getKeyQuery,
  keyCreatedReply,
  keyListReply,
  keyReply,
  listKeysQuery,
  type KeyView,
  updateKeyBody,
  wellFormedHash,
} from './schema.ts';
import { deletedReply } from '../../http/schemas/replies.ts';
import { requirePast } from '../../http/require-past.ts';
import { keyHash } from '../../http/schemas/fields.ts';
import { keyView } from './view.ts';

export interface KeysDependencies {
  readonly keys: KeyCalls;
  readonly ledger: LedgerCalls;
  readonly principals: Pick<PrincipalCache, 'changed'>;
  readonly ids: Ids;
  readonly clock: Clock;
}

export function keysRoutes(app: App, dependencies: KeysDependencies): void {
  const config = { auth: 'management', rate: 'keys', errors: [404] } as const;
  const routes = new AccountRoutes(app, dependencies.ids, config);
  readRoutes(routes, dependencies);
  changeRoutes(routes, dependencies);
}

function readRoutes(routes: AccountRoutes, { keys, ledger, clock }: KeysDependencies): void {
  routes.get('/v1/keys', {
    operationId: 'listKeys',
    summary: 'List the API keys of a workspace, the newest first',
    query: listKeysQuery,
    answer: keyListReply,
    config: { errors: [400] },
    handle: async ({ accountId, query }) => {
      const { keys: found } = await keys.listKeys({
        accountId,
        workspaceId: query.workspace_id ?? '',
        includeDisabled: query.include_disabled === 'true',
        offset: Number(query.offset ?? 0),
      });
      const hashes = found.map(({ hash }) => hash);
      const spends = await readSpend(ledger, clock.now(), accountId, hashes);
      return { data: found.map((key, index) => keyView(key, present(spends[index]))) };
    },
  });
  routes.get('/v1/keys/:hash', {
    operationId: 'getKey',
    summary: 'Read an API key and what it has used, now or at a past instant',
    params: anyHash,
    query: getKeyQuery,
    answer: keyReply,
    config: { errors: [400, 404] },
    handle: async ({ accountId, params, query: { at } }) => {
      if (at !== undefined) requirePast('at', at, clock);
      const key = await findKey(keys, accountId, foundOnly(params.hash), at);
      if (at !== undefined) return { data: await pastKeyView(ledger, key, at) };
      const [spend] = await readSpend(ledger, clock.now(), accountId, [key.hash]);
      return { data: keyView(key, present(spend)) };
    },
  });
}

function changeRoutes(
  routes: AccountRoutes,
  { keys, ledger, principals, clock }: KeysDependencies,
): void {
  routes.change('POST', '/v1/keys', {
    operationId: 'createKey',
    summary: 'Create an API key; its secret is shown this once',
    body: createKeyBody,
    answer: keyCreatedReply,
    status: 201,
    config: { errors: [], answersSecret: true },
    handle: async ({ request, context, body }) => {
      const keepSecret = request.idempotentAttempt !== undefined;
      const command = { ...issueKeyRequest(body, context), keepSecret };
      const { key, secret } = await keys.issueKey(command);
      // A new key has spent nothing; and no other failure may lose the secret, shown this once.
      return { data: keyView(present(key), noSpend), key: secret };
    },
  });
  routes.change('PATCH', '/v1/keys/:hash', {
    operationId: 'updateKey',
    summary: 'Change an API key; a field that is left out stays as it is',
    params: wellFormedHash,
    body: updateKeyBody,
    answer: keyReply,
    handle: async ({ accountId, context, params: { hash }, body }) => {
      const command = updateKeyRequest(body, hash, context);
      // Also when the answer is lost: the change may have been made.
      const changed = () => principals.changed({ hash, isRevoked: false });
      const { key } = await keys.updateKey(command).finally(changed);
      const [spend] = await readSpend(ledger, clock.now(), accountId, [hash]);
      return { data: keyView(present(key), present(spend)) };
    },
  });
  routes.change('DELETE', '/v1/keys/:hash', {
    operationId: 'deleteKey',
    summary: 'Delete an API key',
    params: anyHash,
    answer: deletedReply,
    handle: async ({ context, params }) => {
      const hash = foundOnly(params.hash);
      const changed = () => principals.changed({ hash, isRevoked: false });
      await keys.deleteKey({ context, hash }).finally(changed);
      return { deleted: true };
    },
  });
}

/** Shows a key of a past instant with the usage that was counted by then. */
async function pastKeyView(ledger: LedgerCalls, key: Key, at: string): Promise<KeyView> {
  const asked = { accountId: key.accountId, keyHashes: [key.hash], at, asOf: true };
  const [usage] = (await ledger.getKeyUsage(asked)).usages;
  // The key service knows the last use of all. It is the last one of then, too, unless there were later ones.
  const isUnusedSince = key.lastUsedAt !== undefined && new Date(key.lastUsedAt) <= new Date(at);
  const lastUsedAt = isUnusedSince ? key.lastUsedAt : usage?.lastUsedAt;
  return keyView({ ...key, lastUsedAt }, spendOf(usage));
}

/** Throws not_found for a malformed hash, as for an unknown one. */
function foundOnly(hash: string): string {
  if (!keyHash.test(hash)) throw new Fault('not_found');
  return hash;
}
