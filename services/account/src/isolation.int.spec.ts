import { deepEqual, equal, rejects } from 'node:assert/strict';
import { withoutAccountFilters, withoutPolicies } from '@sluice/read-model/testing';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import {
  accountWorld,
  type AccountWorld,
  organizationId,
  ownerUserId,
  personalId,
} from './testing/account-world.ts';

let world: AccountWorld;
beforeAll(async () => {
  world = await accountWorld({ postgresUrl: inject('postgresUrl') });
  await world.open();
  await world.join('user_2');
});
afterAll(() => world.stop());

const stranger = 'org_2';
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
    const { account } = await world.accounts.getAccount({ accountId: personalId });
    equal(account?.accountId, personalId);
    deepEqual(await listed(organizationId), [ownerUserId, 'user_2']);
  });

  test('would tell, without the policies of the tables', async () => {
    await world.restart({ database: withoutPolicies(withoutAccountFilters(world.database)) });
    deepEqual(await listed(stranger), [ownerUserId, 'user_2']);
  });
});

function usersOf(accountId: string) {
  const page = { offset: 0, limit: 50 };
  return { accountId, user: undefined, includeInactive: true, ...page };
}
