import { deepEqual, equal, rejects } from 'node:assert/strict';
import { withoutAccountFilters, withoutPolicies } from '@sluice/read-model/testing';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import {
  accountWorld,
  type AccountWorld,
  activateWorkspaceId,
  organizationId,
  ownerUserId,
  personalId,
} from './testing/account-world.ts';

let world: AccountWorld;
beforeAll(async () => {
  world = await accountWorld({ postgresUrl: inject('postgresUrl') });
  await world.open();
  await world.join('user_2');
  await world.createEndpoint({ activateWorkspaceId });
});
afterAll(() => world.stop());

const stranger = 'org_2';
const active = async (accountId: string) =>
  (await world.endpointUse.listActiveEndpoints({ accountId })).endpoints;
const listed = async (accountId: string) =>
  (await world.accounts.listMembers({ accountId, offset: 0, limit: 100 })).members.map(
    ({ userId }) => userId,
  );

describe('a service that forgets for whom it asks', () => {
  test('tells an account nothing of another one', async () => {
    await world.restart({ database: withoutAccountFilters(world.database) });
    deepEqual(await listed(stranger), []);
    await rejects(world.accounts.getAccount({ accountId: stranger }), { code: 'not_found' });
    await rejects(world.endUsers.listEndUsers(usersOf(stranger)), { code: 'not_found' });
    deepEqual(await active(stranger), []);
    equal((await active(organizationId)).length, 1);
    const { account } = await world.accounts.getAccount({ accountId: personalId });
    equal(account?.accountId, personalId);
    deepEqual(await listed(organizationId), [ownerUserId, 'user_2']);
  });

  test('would tell, without the policies of the tables', async () => {
    await world.restart({ database: withoutPolicies(withoutAccountFilters(world.database)) });
    deepEqual(await listed(stranger), [ownerUserId, 'user_2']);
    equal((await active(stranger)).length, 1);
  });
});

function usersOf(accountId: string) {
  const page = { offset: 0, limit: 50 };
  return { accountId, user: undefined, includeInactive: true, ...page };
}
