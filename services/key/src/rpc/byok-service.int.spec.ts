import { deepEqual, equal, match, notEqual, ok, rejects } from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { open } from '@sluice/envelope';
import { Fault } from '@sluice/errors';
import type {
  AddCredentialRequest,
  UpdateCredentialRequest,
} from '@sluice/protos/sluice/key/v1/byok';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import {
  aContext,
  defaultWorkspaceId,
  keyWorld,
  type KeyWorld,
  openToAll,
  otherWorkspaceId,
} from '../testing/key-world.ts';

let world: KeyWorld;
beforeEach(async () => {
  world = await keyWorld({ postgresUrl: inject('postgresUrl') });
});
afterEach(() => world.stop());

const aSecret = () => `sk-${randomBytes(24).toString('base64url')}`;
const unchanged: Omit<UpdateCredentialRequest, 'context' | 'credentialId'> = {
  secret: undefined,
  name: undefined,
  disabled: undefined,
  isFallback: undefined,
  isRequired: undefined,
  isByokOnly: undefined,
  declaredZdr: undefined,
  allowedModels: undefined,
  allowedApiKeyHashes: undefined,
  allowedUserIds: undefined,
};
async function add(overrides: Partial<AddCredentialRequest> = {}) {
  const { credential } = await world.byok.addCredential({
    context: aContext(),
    provider: 'openai',
    secret: aSecret(),
    workspaceId: '',
    settings: openToAll,
    ...overrides,
  });
  ok(credential, 'no credential in the answer');
  return credential;
}
const update = async (credentialId: string, changes: Partial<UpdateCredentialRequest>) => {
  const request = { context: aContext(), credentialId, ...unchanged, ...changes };
  return (await world.byok.updateCredential(request)).credential;
};
const remove = (credentialId: string, overrides = {}) =>
  world.byok.deleteCredential({ context: aContext(overrides), credentialId });
const list = (overrides: object = {}) => {
  const asked = { accountId: 'org_1', workspaceId: '', offset: 0, limit: 50 };
  return world.byok.listCredentials({ ...asked, ...overrides });
};
const idsOf = async (overrides: object = {}) =>
  (await list(overrides)).credentials.map(({ credentialId }) => credentialId);

interface SecretRow {
  readonly secret_id: string;
  readonly key_version: string;
  readonly wrapped_key: string;
  readonly ciphertext: string;
}
const secretRows = () =>
  world.database.query<SecretRow>({ text: 'SELECT * FROM byok_secrets', values: [] });
async function opened(credentialId: string): Promise<string[]> {
  const rows = await secretRows();
  return Promise.all(
    rows.map(async (row) => {
      const owner = { accountId: 'org_1', recordId: `${credentialId}/${row.secret_id}` };
      const envelope = {
        keyVersion: row.key_version,
        wrappedKey: Buffer.from(row.wrapped_key, 'base64'),
        ciphertext: Buffer.from(row.ciphertext, 'base64'),
      };
      return Buffer.from(await open(world.keyManagement, owner, envelope)).toString();
    }),
  );
}

describe('adding a credential', () => {
  test('answers it without its secret, which is sealed for it alone', async () => {
    const secret = aSecret();
    const credential = await add({ secret });
    deepEqual(
      await world.byok.getCredential({ accountId: 'org_1', credentialId: credential.credentialId }),
      { credential },
    );
    deepEqual(await list(), { credentials: [credential], totalCount: 1n });
    equal(credential.label, `sk-...${secret.slice(-4)}`);
    deepEqual([credential.workspaceId, credential.sortOrder], [defaultWorkspaceId, 0]);
    deepEqual(await opened(credential.credentialId), [secret]);
    await rejects(opened(randomUUID()), { reason: 'tampered' });
    const events = await Array.fromAsync(world.eventStore.read('byok-org_1'));
    const stored = JSON.stringify([await secretRows(), events.map(({ data }) => data)]);
    equal(
      stored.includes(secret) || stored.includes(Buffer.from(secret).toString('base64')),
      false,
    );
  });

  test('again with the same command is the same credential, with the first secret', async () => {
    const context = aContext();
    const secret = aSecret();
    const first = await add({ context, secret });
    deepEqual(await add({ context }), first);
    deepEqual(await opened(first.credentialId), [secret]);
    deepEqual((await list()).totalCount, 1n);
  });

  test('by many at once numbers them one after the other', async () => {
    const made = await Promise.all(Array.from({ length: 30 }, () => add()));
    deepEqual(
      made.map(({ sortOrder }) => sortOrder).toSorted((one, other) => one - other),
      Array.from({ length: 30 }, (_, index) => index),
    );
    deepEqual((await add({ workspaceId: otherWorkspaceId })).sortOrder, 0);
  });

  test('may be of a provider that only the catalog of this installation has', async () => {
    equal((await add({ provider: 'my-own-server' })).provider, 'my-own-server');
  });

  test('is refused for a provider, a workspace or a key that there is not', async () => {
    const { key: foreign } = await world.issue({ context: aContext({ accountId: 'org_2' }) });
    const allowed = (...values: string[]) => ({ ...openToAll, allowedApiKeyHashes: { values } });
    for (const [path, wrong] of [
      ['provider', { provider: 'No Body' }],
      ['key', { secret: '' }],
      ['key', { provider: 'azure' }],
      ['workspace_id', { workspaceId: randomUUID() }],
      ['allowed_api_key_hashes', { settings: allowed(foreign.hash) }],
      ['allowed_api_key_hashes', { settings: allowed() }],
      ['is_byok_only', { settings: { ...openToAll, isFallback: true, isByokOnly: true } }],
    ] as const)
      await rejects(add(wrong), (error: Fault) => {
        equal(error.code, 'invalid_request');
        match(JSON.stringify(error.metadata), new RegExp(`"path":"${path}"`));
        return true;
      });
    deepEqual(await secretRows(), [], 'what is refused is not sealed');
    const { key } = await world.issue();
    const { settings: accepted } = await add({ settings: allowed(key.hash) });
    deepEqual(accepted?.allowedApiKeyHashes?.values, [key.hash]);
  });

  test('that is refused says nothing of the secret', async () => {
    const secret = aSecret();
    const error = await add({ provider: 'google-vertex', secret }).catch(
      (thrown: unknown) => thrown,
    );
    ok(error instanceof Fault);
    equal(
      JSON.stringify([error.message, error.metadata, String(error.cause)]).includes(secret),
      false,
    );
  });
});

describe('changing a credential', () => {
  test('answers it as it is then, everywhere', async () => {
    const credential = await add();
    const { credentialId } = credential;
    const changed = await update(credentialId, {
      name: { name: 'Ours' },
      disabled: true,
      declaredZdr: { declaredZdr: false },
      allowedModels: { entries: { values: ['a', 'b'] } },
    });
    deepEqual(changed?.settings, {
      ...openToAll,
      name: 'Ours',
      disabled: true,
      declaredZdr: false,
      allowedModels: { values: ['a', 'b'] },
    });
    deepEqual(await world.byok.getCredential({ accountId: 'org_1', credentialId }), {
      credential: changed,
    });
    const cleared = await update(credentialId, {
      name: { name: undefined },
      disabled: false,
      declaredZdr: { declaredZdr: undefined },
      allowedModels: { entries: undefined },
    });
    deepEqual(cleared, credential);
  });

  test('rotates its secret: the one before is erased', async () => {
    const { credentialId, label } = await add();
    const secret = aSecret();
    const rotated = await update(credentialId, { secret });
    notEqual(rotated?.label, label);
    deepEqual(await opened(credentialId), [secret]);
    await rejects(update(credentialId, { secret: 'two words' }), { code: 'invalid_request' });
    deepEqual(await opened(credentialId), [secret]);
  });
});

describe('a deleted credential', () => {
  test('is gone at once, and its secret is erased', async () => {
    const { credentialId } = await add();
    await remove(credentialId);
    deepEqual(await secretRows(), []);
    deepEqual(await list(), { credentials: [], totalCount: 0n });
    for (const asked of [
      () => world.byok.getCredential({ accountId: 'org_1', credentialId }),
      () => update(credentialId, { disabled: true }),
      () => remove(credentialId),
    ])
      await rejects(asked, { code: 'not_found' });
  });
});

describe('the list of credentials', () => {
  test('is by provider, prioritised before fallback, then in their order, of one workspace', async () => {
    const fallback = { ...openToAll, isFallback: true };
    const last = await add({ settings: fallback });
    const second = await add();
    const third = await add();
    const first = await add({ provider: 'anthropic' });
    const other = await add({ workspaceId: otherWorkspaceId });
    const ordered = [first, second, third, last].map(({ credentialId }) => credentialId);
    deepEqual(await idsOf(), ordered);
    deepEqual(await idsOf({ provider: 'openai' }), ordered.slice(1));
    deepEqual(await idsOf({ workspaceId: otherWorkspaceId }), [other.credentialId]);
    deepEqual(await idsOf({ offset: 1, limit: 2 }), ordered.slice(1, 3));
    deepEqual(await list({ offset: 9 }), { credentials: [], totalCount: 4n });
  });

  test('is refused for what there is not', async () => {
    for (const wrong of [
      { provider: 'No Body' },
      { workspaceId: randomUUID() },
      { limit: 0 },
      { limit: 101 },
    ])
      await rejects(list(wrong), { code: 'invalid_request' });
  });
});

describe('another account', () => {
  test('does not see, change or delete a credential', async () => {
    const { credentialId } = await add();
    const stranger = { accountId: 'org_2' };
    deepEqual((await list(stranger)).totalCount, 0n);
    for (const asked of [
      () => world.byok.getCredential({ ...stranger, credentialId }),
      () => update(credentialId, { context: aContext(stranger), disabled: true }),
      () => remove(credentialId, stranger),
      () => world.byok.getCredential({ accountId: 'org_1', credentialId: 'no id' }),
    ])
      await rejects(asked, { code: 'not_found' });
    deepEqual(await idsOf(), [credentialId]);
  });
});

describe('what is sealed', () => {
  test('is wrapped anew at the next start after the key was rotated', async () => {
    const secret = aSecret();
    const { credentialId } = await add({ secret });
    await world.keyManagement.rotate();
    deepEqual(await opened(credentialId), [secret]);
    await world.restart();
    await world.until(async () => equal((await secretRows())[0]?.key_version, '2'));
    deepEqual(await opened(credentialId), [secret]);
  });

  test('for a command that got no further is erased at a later start; nothing else is', async () => {
    const secret = aSecret();
    const kept = await add({ secret });
    const append = async () => {
      throw new Fault('event_store_unavailable');
    };
    await world.restart({ eventStore: { ...world.eventStore, append } });
    await rejects(add(), { code: 'event_store_unavailable' });
    equal((await secretRows()).length, 2);
    const text = `UPDATE byok_secrets SET sealed_at = now() - interval '2 hours'`;
    await world.database.query({ text, values: [] });
    await world.database.query({ text: 'DELETE FROM byok_credentials', values: [] });
    await world.restart();
    await world.until(async () => equal((await secretRows()).length, 1));
    deepEqual(await opened(kept.credentialId), [secret]);
  });
});
