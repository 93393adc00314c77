import { deepEqual, equal, rejects } from 'node:assert/strict';
import { withoutAccountFilters, withoutPolicies } from '@sluice/read-model/testing';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { defaultWorkspaceId, keyWorld, type KeyWorld } from './testing/key-world.ts';

let world: KeyWorld;
let hash: string;
beforeAll(async () => {
  world = await keyWorld({ postgresUrl: inject('postgresUrl') });
  ({ hash } = (await world.issue()).key);
});
afterAll(() => world.stop());

/** The directory of the spec gives every account this workspace. */
const workspaceId = defaultWorkspaceId;
const listed = async (accountId: string) => {
  const page = { accountId, workspaceId, includeDisabled: true, offset: 0 };
  return (await world.client.listKeys(page)).keys.map((key) => key.hash);
};
const counted = async (accountId: string) =>
  (await world.client.beginClosing({ accountId, workspaceId, creatorUserIds: [] })).keyCount;

describe('a service that forgets for whom it asks', () => {
  test('tells an account nothing of another one’s keys', async () => {
    await world.restart({ database: withoutAccountFilters(world.database) });
    deepEqual(await listed('org_2'), []);
    equal(await counted('org_2'), 0n);
    const { keys } = await world.client.getKeys({ accountId: 'org_2', hashes: [hash] });
    deepEqual(keys, []);
    await rejects(world.client.getKey({ accountId: 'org_2', hash }), { code: 'not_found' });
    deepEqual(await listed('org_1'), [hash]);
  });

  test('would tell, without the policies of the tables', async () => {
    await world.restart({ database: withoutPolicies(withoutAccountFilters(world.database)) });
    deepEqual(await listed('org_2'), [hash]);
  });
});
