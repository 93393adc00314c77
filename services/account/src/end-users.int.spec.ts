import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { Fault } from '@sluice/errors';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import {
  aContext,
  type AccountWorld,
  accountWorld,
  organizationId as accountId,
  personalId,
} from './testing/account-world.ts';

let world: AccountWorld;
beforeEach(async () => {
  world = await accountWorld({ postgresUrl: inject('postgresUrl') });
  await world.open();
});
afterEach(() => world.stop());

const register = (user: string, context = aContext()) =>
  world.endUsers.registerEndUser({ context, user });
const setActive = (user: string, isActive: boolean) =>
  world.endUsers.setEndUserActive({ context: aContext(), user, isActive });
const deactivate = (user: string) =>
  world.endUsers.deactivateEndUser({ context: aContext(), user });
const list = async (changed: { user?: string; includeInactive?: boolean; limit?: number } = {}) => {
  const question = { accountId, includeInactive: false, offset: 0, limit: 50, ...changed };
  const { endUsers, totalCount } = await world.endUsers.listEndUsers({
    user: undefined,
    ...question,
  });
  return { users: endUsers.map(({ user }) => user), totalCount };
};

describe('a registered end user', () => {
  test('is found at once, as it was answered', async () => {
    const { endUser } = await register('customer/7 ü');
    ok(endUser);
    deepEqual([endUser.isActive, endUser.updatedAt], [true, endUser.createdAt]);
    deepEqual(await world.endUsers.getEndUser({ accountId, user: 'customer/7 ü' }), { endUser });
  });

  test('is registered once, however many register it at the same time', async () => {
    const registering = Array.from({ length: 200 }, () =>
      register('customer-7').then(
        () => 'registered',
        (error: unknown) => (error instanceof Fault ? error.code : error),
      ),
    );
    const outcomes = await Promise.all(registering);
    equal(outcomes.filter((outcome) => outcome === 'registered').length, 1);
    equal(outcomes.filter((outcome) => outcome === 'conflict').length, 199);
  });

  test('is told from others byte by byte', async () => {
    for (const user of ['é', 'e\u{301}', 'E', 'e', ' e', 'é/', 'é%2F']) await register(user);
    const user = 'e\u{301}';
    equal((await world.endUsers.getEndUser({ accountId, user })).endUser?.user, user);
    deepEqual((await list({ user })).users, [user]);
    deepEqual((await list()).users, [' e', 'E', 'e', 'e\u{301}', 'é', 'é%2F', 'é/']);
  });

  test('changes its time also where it was so before', async () => {
    const first = (await register('a')).endUser;
    const second = (await setActive('a', true)).endUser;
    ok(first && second);
    equal(second.createdAt, first.createdAt);
    ok(second.updatedAt > first.updatedAt, `${second.updatedAt} is not later`);
    deepEqual(await world.endUsers.getEndUser({ accountId, user: 'a' }), { endUser: second });
  });

  test('is deactivated as often as one likes, stays, and comes back', async () => {
    await register('a');
    const { endUser } = await deactivate('a');
    equal(endUser?.isActive, false);
    deepEqual(await deactivate('a'), { endUser });
    deepEqual(await world.endUsers.getEndUser({ accountId, user: 'a' }), { endUser });
    await rejects(register('a'), { code: 'conflict' });
    equal((await setActive('a', true)).endUser?.isActive, true);
  });

  test('is listed by code point, without those who are not active unless they are asked for', async () => {
    for (const user of ['b', 'a', '😀', '\u{ffff}', 'ä']) await register(user);
    await deactivate('a');
    deepEqual(await list(), { users: ['b', 'ä', '\u{ffff}', '😀'], totalCount: 4 });
    const all = { includeInactive: true };
    deepEqual((await list(all)).users, ['a', 'b', 'ä', '\u{ffff}', '😀']);
    deepEqual(await list({ ...all, limit: 2 }), { users: ['a', 'b'], totalCount: 5 });
    deepEqual(await list({ user: 'a' }), { users: [], totalCount: 0 });
    deepEqual(await list({ user: 'a', ...all }), { users: ['a'], totalCount: 1 });
  });

  test('is nobody else’s', async () => {
    await register('a');
    await rejects(world.endUsers.getEndUser({ accountId: 'org_2', user: 'a' }), {
      code: 'not_found',
    });
    await rejects(register('a', aContext('org_2')), { code: 'not_found' });
    await rejects(register('a', aContext(personalId)), { code: 'not_found' });
  });

  test('that nobody registered is not found', async () => {
    for (const user of ['a', '', 'a\0b'])
      await rejects(world.endUsers.getEndUser({ accountId, user }), { code: 'not_found' });
    await rejects(setActive('a', true), { code: 'not_found' });
    await rejects(deactivate('a'), { code: 'not_found' });
    await rejects(register('a\0b'), { code: 'invalid_request' });
  });
});
