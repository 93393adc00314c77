import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { inspect } from 'node:util';
import { subjectFilters } from '@sluice/bus';
import { Fault } from '@sluice/errors';
import type { UpdateCredentialRequest } from '@sluice/protos/sluice/key/v1/byok';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import {
  aContext,
  aCredential,
  defaultWorkspaceId as workspaceId,
  keyWorld,
  type KeyWorld,
  otherWorkspaceId,
} from '../testing/key-world.ts';

let world: KeyWorld;
beforeEach(async () => {
  world = await keyWorld({ postgresUrl: inject('postgresUrl') });
});
afterEach(() => world.stop());

const accountId = 'org_1';
const usable = async (workspace = workspaceId, account = accountId) =>
  (await world.use.listUsable({ accountId: account, workspaceId: workspace })).credentials;
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
const update = (credentialId: string, changes: Partial<UpdateCredentialRequest>) =>
  world.byok.updateCredential({ context: aContext(), credentialId, ...unchanged, ...changes });
const only = async () => {
  const [one] = await usable();
  ok(one?.credential, 'no credential is usable');
  return { accountId, credentialId: one.credential.credentialId, secretId: one.secretId };
};
const isGone = (error: unknown) => error instanceof Fault && error.code === 'not_found';

describe('the credentials that may be called with', () => {
  test('are the enabled ones of the workspace, prioritised ones first, and no secret is among them', async () => {
    const first = await world.addCredential();
    const second = await world.addCredential();
    const disabled = await world.addCredential();
    const elsewhere = await world.addCredential({ workspaceId: otherWorkspaceId });
    await update(first, { isFallback: true });
    await update(disabled, { disabled: true });
    const found = await usable();
    deepEqual(
      found.map(({ credential }) => credential?.credentialId),
      [second, first],
    );
    ok(!inspect(found, { depth: 9 }).includes(aCredential.plain));
    deepEqual(
      (await usable(otherWorkspaceId)).map(({ credential }) => credential?.credentialId),
      [elsewhere],
    );
    deepEqual(await usable(workspaceId, 'org_2'), []);
  });

  test('are others as soon as a command has answered, and everybody is told', async () => {
    const heard: string[] = [];
    const signal = new AbortController();
    await world.bus.subscribe(
      subjectFilters.credentialsChanged,
      ({ subject }) => void heard.push(subject),
      { signal: signal.signal },
    );
    const credentialId = await world.addCredential();
    equal(heard[0], 'changed.v1.credential.org_1');
    heard.length = 0;
    await update(credentialId, { disabled: true });
    ok(heard.length > 0, 'nobody was told');
    deepEqual(await usable(), []);
    signal.abort();
  });
});

describe('a secret', () => {
  test('is opened for the credential that it was sealed for', async () => {
    await world.addCredential();
    deepEqual(await world.use.openSecret(await only()), { secret: aCredential.plain });
  });

  test('is opened for no other account and under no other name', async () => {
    await world.addCredential();
    const other = await world.addCredential({ workspaceId: otherWorkspaceId });
    const place = await only();
    for (const wrong of [
      { accountId: 'org_2' },
      { accountId: 'org 2' },
      { credentialId: other },
      { secretId: place.credentialId },
      { secretId: "' OR true" },
    ])
      await rejects(world.use.openSecret({ ...place, ...wrong }), isGone);
  });

  test('is opened no more once it is disabled, rotated or deleted', async () => {
    const credentialId = await world.addCredential();
    const before = await only();
    await update(credentialId, { disabled: true });
    await rejects(world.use.openSecret(before), isGone);
    await update(credentialId, { disabled: false, secret: 'sk-upstream-0123456789-Next' });
    await rejects(world.use.openSecret(before), isGone);
    const after = await only();
    deepEqual(await world.use.openSecret(after), { secret: 'sk-upstream-0123456789-Next' });
    await world.byok.deleteCredential({ context: aContext(), credentialId });
    await rejects(world.use.openSecret(after), isGone);
  });

  test('that was altered in the database is not opened, and the error says nothing of it', async () => {
    await world.addCredential();
    const place = await only();
    await world.database.query({
      text: `UPDATE byok_secrets SET ciphertext = 'AAAA' || substr(ciphertext, 5)`,
      values: [],
    });
    await rejects(
      world.use.openSecret(place),
      (error) => error instanceof Fault && !inspect(error).includes('sk-'),
    );
  });
});
