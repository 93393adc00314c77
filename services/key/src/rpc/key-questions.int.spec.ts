import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { KeyKind } from '@sluice/protos/sluice/key/v1/key';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import {
  aContext,
  defaultWorkspaceId,
  keyWorld,
  type KeyWorld,
  otherWorkspaceId,
} from '../testing/key-world.ts';

let world: KeyWorld;
beforeEach(async () => {
  world = await keyWorld({ postgresUrl: inject('postgresUrl') });
});
afterEach(() => world.stop());

const management = {
  kind: KeyKind.KEY_KIND_MANAGEMENT,
  context: aContext({ actorType: 'system' }),
};
const remove = (hash: string) => world.client.deleteKey({ context: aContext(), hash });

describe('the keys of some hashes', () => {
  const found = async (accountId: string, ...hashes: string[]) =>
    (await world.client.getKeys({ accountId, hashes })).keys.map(({ hash }) => hash).toSorted();

  test('are the regular ones of the account that are not deleted', async () => {
    const { key: first } = await world.issue();
    const { key: second } = await world.issue({ workspaceId: otherWorkspaceId });
    const { key: gone } = await world.issue();
    const { key: admin } = await world.issue(management);
    await remove(gone.hash);
    const asked = [first.hash, second.hash, gone.hash, admin.hash, 'ef'.repeat(32), 'no hash'];
    deepEqual(await found('org_1', ...asked), [first.hash, second.hash].toSorted());
    deepEqual(await found('org_2', ...asked), []);
    deepEqual((await world.client.getKeys({ accountId: 'org_1', hashes: [first.hash] })).keys, [
      first,
    ]);
  });

  test('are asked for 1 to 100 at a time', async () => {
    await rejects(found('org_1'), { code: 'invalid_request' });
    const hashes = Array.from({ length: 101 }, (_, index) => String(index));
    await rejects(found('org_1', ...hashes), { code: 'invalid_request' });
    deepEqual(await found('org_1', ...hashes.slice(1)), []);
  });
});

describe('a key at a past instant', () => {
  /** Returns an instant between what happened and what happens next: the log has milliseconds. */
  async function between(): Promise<string> {
    const atMs = Date.now();
    await world.until(() => ok(Date.now() > atMs));
    return new Date(atMs).toISOString();
  }
  const keyAt = async (hash: string, at?: string) =>
    (await world.client.getKey({ accountId: 'org_1', hash, at })).key;
  const missing = (hash: string, at: string, accountId = 'org_1') =>
    rejects(world.client.getKey({ accountId, hash, at }), { code: 'not_found' });

  test('is what was answered then, also after it was deleted', async () => {
    const early = await between();
    const { key } = await world.issue({ limitNanoUsd: 5n });
    const { hash } = key;
    const known = new Map<string, unknown>();
    const note = async () => {
      const answer = await keyAt(hash);
      known.set(await between(), answer);
    };
    const change = (changes: object) =>
      world.client.updateKey({ context: aContext(), hash, ...unchanged, ...changes });
    await note();
    await change({ name: 'Renamed' });
    await note();
    await change({ disabled: true, limit: { limitNanoUsd: 7n } });
    await note();
    await change({ disabled: false, limit: { limitNanoUsd: undefined } });
    await note();
    await remove(hash);
    const late = await between();
    equal(known.size, 4);
    for (const [at, answer] of known) deepEqual(await keyAt(hash, at), answer, at);
    await missing(hash, early);
    await missing(hash, late);
    const [some = ''] = known.keys();
    await missing(hash, some, 'org_2');
    await missing('ef'.repeat(32), some);
    await missing('../no-hash', some);
  });

  test('is refused for what is no instant', async () => {
    const { key } = await world.issue();
    await rejects(keyAt(key.hash, 'yesterday'), { code: 'invalid_request' });
  });
});

const unchanged = {
  name: undefined,
  disabled: undefined,
  includeByokInLimit: undefined,
  limit: undefined,
  limitReset: undefined,
};

describe('the management keys of an account', () => {
  const listed = async (accountId: string, offset = 0) => {
    const { keys, totalCount } = await world.client.listManagementKeys({ accountId, offset });
    return { names: keys.map(({ name }) => name), totalCount };
  };

  test('are listed newest first, disabled and expired ones too, of one account', async () => {
    await world.issue();
    const { key: first } = await world.issue({ ...management, name: 'first' });
    const second = { context: aContext({ actorType: 'system' }), name: 'second' };
    await world.issue({ ...management, ...second });
    deepEqual(await listed('org_1'), { names: ['second', 'first'], totalCount: 2 });
    deepEqual(await listed('org_1', 1), { names: ['first'], totalCount: 2 });
    deepEqual(await listed('org_2'), { names: [], totalCount: 0 });
    const context = aContext({ actorType: 'system' });
    await world.client.updateKey({
      context,
      hash: first.hash,
      disabled: true,
      name: undefined,
      includeByokInLimit: undefined,
      limit: undefined,
      limitReset: undefined,
    });
    equal((await listed('org_1')).totalCount, 2);
    await world.client.deleteKey({
      context: aContext({ actorType: 'system' }),
      hash: first.hash,
    });
    deepEqual(await listed('org_1'), { names: ['second'], totalCount: 1 });
  });
});

describe('the number of keys of a workspace', () => {
  const count = async (overrides: { accountId?: string; creatorUserIds?: string[] } = {}) => {
    const asked = { accountId: 'org_1', workspaceId: defaultWorkspaceId, creatorUserIds: [] };
    return (await world.client.beginClosing({ ...asked, ...overrides })).keyCount;
  };

  test('counts regular ones, disabled or not, of one workspace of one account', async () => {
    const { key: first } = await world.issue({ creatorUserId: 'user_1' });
    const { key: second } = await world.issue({ creatorUserId: 'user_2' });
    await world.issue({ workspaceId: otherWorkspaceId });
    await world.issue(management);
    await world.client.updateKey({
      context: aContext(),
      hash: first.hash,
      name: undefined,
      disabled: true,
      includeByokInLimit: undefined,
      limit: undefined,
      limitReset: undefined,
    });
    equal(await count(), 2n);
    equal(await count({ creatorUserIds: ['user_2', 'user_3'] }), 1n);
    equal(await count({ accountId: 'org_2' }), 0n);
    await remove(second.hash);
    equal(await count(), 1n);
    equal(await count({ creatorUserIds: ['user_2'] }), 0n);
  });

  test('is asked of a UUID and of at most 100 makers', async () => {
    const workspaceId = 'default';
    const asked = { accountId: 'org_1', workspaceId, creatorUserIds: [] };
    await rejects(world.client.beginClosing(asked), { code: 'invalid_request' });
    const creatorUserIds = Array.from({ length: 101 }, () => randomUUID() as string);
    await rejects(count({ creatorUserIds }), { code: 'invalid_request' });
  });
});
