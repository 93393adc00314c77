import { deepEqual, equal, rejects } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { inspectApiKey, mintApiKey } from '@sluice/api-key';
import { eventStoreAway } from '@sluice/es/testing';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import {
  aContext,
  aCredential,
  defaultWorkspaceId,
  type KeyWorld,
  keyWorld,
} from './testing/key-world.ts';

let world: KeyWorld;
beforeAll(async () => {
  world = await keyWorld({ postgresUrl: inject('postgresUrl') });
});
afterAll(() => world.stop());

const accountId = 'org_1';
const page = { accountId, workspaceId: '', offset: 0 };

describe('while the event store is away', () => {
  test('a process that starts then answers every question about keys and credentials', async () => {
    const { key, secret } = await world.issue();
    const deleted = await world.issue();
    await world.client.deleteKey({ context: aContext(), hash: deleted.key.hash });
    const credentialId = await world.addCredential();
    await world.restart({ eventStore: eventStoreAway() });

    const { client, byok, use } = world;
    deepEqual(await client.resolveKey({ hash: key.hash, secret }), { key, revision: 0n });
    const gone = { hash: deleted.key.hash, secret: deleted.secret };
    await rejects(client.resolveKey(gone), { code: 'not_found' });
    const stranger = mintApiKey('regular', randomBytes);
    const unknown = { hash: inspectApiKey(stranger)?.hash ?? '', secret: stranger };
    await rejects(client.resolveKey(unknown), { code: 'not_found' });
    deepEqual((await client.getKey({ accountId, hash: key.hash })).key, key);
    deepEqual((await client.getKeys({ accountId, hashes: [key.hash] })).keys, [key]);
    deepEqual((await client.listKeys({ ...page, includeDisabled: true })).keys, [key]);
    equal((await client.listManagementKeys({ accountId, offset: 0 })).totalCount, 0);
    const counted = { accountId, workspaceId: defaultWorkspaceId, creatorUserIds: [] };
    equal((await client.beginClosing(counted)).keyCount, 1n);
    const { credentials } = await use.listUsable({ accountId, workspaceId: defaultWorkspaceId });
    const [usable] = credentials;
    equal(usable?.credential?.credentialId, credentialId);
    const place = { accountId, credentialId, secretId: usable?.secretId ?? '' };
    deepEqual(await use.openSecret(place), { secret: aCredential.plain });
    equal((await byok.getCredential({ accountId, credentialId })).credential?.label !== '', true);
    const listed = await byok.listCredentials({ ...page, limit: 10 });
    equal(listed.totalCount, 1n);
    await rejects(world.issue(), { code: 'event_store_unavailable' });
  });
});

describe('a key that the read model does not show yet', () => {
  test('is unavailable and not unknown: a command has noted that it issues it', async () => {
    const secret = mintApiKey('regular', randomBytes);
    const hash = inspectApiKey(secret)?.hash ?? '';
    await world.database.query({
      text: `INSERT INTO issue_attempts (account_id, command_id, hash) VALUES ('org_1', 'c', $1)`,
      values: [hash],
    });
    await rejects(world.client.resolveKey({ hash, secret }), { code: 'unavailable' });
    await world.database.query({
      text: `UPDATE issue_attempts SET noted_at = now() - interval '11 minutes' WHERE hash = $1`,
      values: [hash],
    });
    await rejects(world.client.resolveKey({ hash, secret }), { code: 'not_found' });
  });

  test('is unknown when its command, or the revision, is of a history that is no longer in force', async () => {
    const secret = mintApiKey('regular', randomBytes);
    const hash = inspectApiKey(secret)?.hash ?? '';
    await world.restart();
    const there = await world.issue();
    const note = `INSERT INTO issue_attempts (account_id, command_id, hash) VALUES ('org_1', 'lost', $1)`;
    await world.database.query({ text: note, values: [hash] });
    const asked = { hash, secret, atLeastRevision: 7n };
    await rejects(world.client.resolveKey(asked), { code: 'unavailable' });
    const kept = { hash: there.key.hash, secret: there.secret, atLeastRevision: 7n };
    await rejects(world.client.resolveKey(kept), { code: 'unavailable' });
    const accept = 'UPDATE known_log SET histories = histories + 1, accepted_at = now()';
    await world.database.query({ text: accept, values: [] });
    await rejects(world.client.resolveKey(asked), { code: 'not_found' });
    equal((await world.client.resolveKey(kept)).revision, 2n ** 40n);
    const undo = 'UPDATE known_log SET histories = histories - 1, accepted_at = NULL';
    await world.database.query({ text: undo, values: [] });
  });

  test('as of a revision is unavailable until the read model holds that revision', async () => {
    await world.restart();
    const { key, secret } = await world.issue();
    const asked = { hash: key.hash, secret };
    equal((await world.client.resolveKey({ ...asked, atLeastRevision: 0n })).revision, 0n);
    const later = { ...asked, atLeastRevision: 1n };
    await rejects(world.client.resolveKey(later), { code: 'unavailable' });
    await world.enable(key.hash);
    const changes = { name: 'Renamed', disabled: undefined, includeByokInLimit: undefined };
    const limits = { limit: undefined, limitReset: undefined };
    await world.client.updateKey({ context: aContext(), hash: key.hash, ...changes, ...limits });
    equal((await world.client.resolveKey(later)).key?.name, 'Renamed');
  });
});
