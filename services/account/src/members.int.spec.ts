import { deepEqual, equal, rejects } from 'node:assert/strict';
import { eventually } from '@sluice/patience';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import { directoryStream, nameStream, subjectFilters } from '@sluice/bus';
import { EntityNamed } from '@sluice/protos/sluice/name/v1/name_events';
import { MemberDeactivated } from '@sluice/protos/sluice/directory/v1/directory_events';
import {
  aContext,
  type AccountWorld,
  accountWorld,
  organizationId as accountId,
  ownerUserId,
  personalId,
} from './testing/account-world.ts';

let world: AccountWorld;
beforeEach(async () => {
  world = await accountWorld({ postgresUrl: inject('postgresUrl') });
  await world.open();
});
afterEach(() => world.stop());

const names = { firstName: undefined, lastName: undefined };
const owner = { userId: ownerUserId, email: 'owner@example.com', role: 'admin', isActive: true };
const userIdsOf = async (page: { offset?: number; limit?: number } = {}) => {
  const { members, totalCount } = await world.accounts.listMembers({
    accountId,
    offset: 0,
    limit: 50,
    ...page,
  });
  return { userIds: members.map(({ userId }) => userId), totalCount };
};

describe('the members of an organization', () => {
  test('are its owner as soon as it is open', async () => {
    const { members, totalCount } = await world.accounts.listMembers({
      accountId,
      offset: 0,
      limit: 50,
    });
    deepEqual(members, [{ ...owner, ...names }]);
    equal(totalCount, 1);
  });

  test('are listed by when they joined, a page at a time, without those who were deactivated', async () => {
    for (const userId of ['user_4', 'user_3', 'user_2']) await world.join(userId);
    await world.accounts.deactivateMember({ context: aContext(), userId: 'user_3' });
    deepEqual(await userIdsOf(), { userIds: [ownerUserId, 'user_4', 'user_2'], totalCount: 3 });
    deepEqual(await userIdsOf({ offset: 1, limit: 1 }), { userIds: ['user_4'], totalCount: 3 });
    deepEqual(await userIdsOf({ offset: 3 }), { userIds: [], totalCount: 3 });
  });

  test('are listed in pages of 1 to 100', async () => {
    await rejects(userIdsOf({ limit: 0 }), { code: 'invalid_request' });
    await rejects(userIdsOf({ limit: 101 }), { code: 'invalid_request' });
    await rejects(userIdsOf({ offset: -1 }), { code: 'invalid_request' });
  });

  test('are told by their ids, also those who were deactivated, and nobody else', async () => {
    await world.join('user_2', 'ada@example.com', 'admin');
    await world.accounts.deactivateMember({ context: aContext(), userId: 'user_2' });
    const userIds = ['user_2', ownerUserId, 'user_7'];
    const { members } = await world.accounts.getMembers({ accountId, userIds });
    deepEqual(members, [
      { ...owner, ...names },
      { userId: 'user_2', email: 'ada@example.com', ...names, role: 'admin', isActive: false },
    ]);
    await rejects(world.accounts.getMembers({ accountId, userIds: [] }), {
      code: 'invalid_request',
    });
    const tooMany = Array.from({ length: 101 }, (_, index) => `user_${index}`);
    await rejects(world.accounts.getMembers({ accountId, userIds: tooMany }), {
      code: 'invalid_request',
    });
  });

  test('change their role at once, but the owner stays an active admin', async () => {
    await world.join('user_2');
    const change = { context: aContext(), userId: 'user_2', role: 'admin' };
    equal((await world.accounts.changeMemberRole(change)).member?.role, 'admin');
    const { members } = await world.accounts.getMembers({ accountId, userIds: ['user_2'] });
    equal(members[0]?.role, 'admin');
    const toOwner = { context: aContext(), userId: ownerUserId };
    await rejects(world.accounts.changeMemberRole({ ...toOwner, role: 'member' }), {
      code: 'conflict',
    });
    await rejects(world.accounts.deactivateMember(toOwner), { code: 'conflict' });
  });

  test('come back as they were', async () => {
    await world.join('user_2', 'ada@example.com', 'admin');
    const who = { context: aContext(), userId: 'user_2' };
    equal((await world.accounts.deactivateMember(who)).member?.isActive, false);
    const back = { ...who, context: aContext() };
    const { member } = await world.accounts.reactivateMember(back);
    deepEqual([member?.isActive, member?.role], [true, 'admin']);
  });

  test('join one organization without being in another', async () => {
    await world.join('user_2');
    const found = await world.accounts.getMembers({ accountId: personalId, userIds: ['user_2'] });
    deepEqual(found.members, []);
    await rejects(world.accounts.getMembers({ accountId: 'org_2', userIds: ['user_2'] }), {
      code: 'not_found',
    });
  });

  test('are one, however many let the same user in at the same time', async () => {
    const joining = Array.from({ length: 20 }, () => world.join('user_2'));
    const outcomes = await Promise.allSettled(joining);
    deepEqual(new Set(outcomes.map(({ status }) => status)), new Set(['fulfilled']));
    equal((await Array.fromAsync(world.eventStore.read('member-org_1.user_2'))).length, 1);
  });
});

describe('a personal account', () => {
  test('has its owner as its only member', async () => {
    const userIds = [personalId, ownerUserId];
    const { members } = await world.accounts.getMembers({ accountId: personalId, userIds });
    deepEqual(
      members.map(({ userId, role, isActive }) => [userId, role, isActive]),
      [[personalId, 'admin', true]],
    );
  });

  test('lets nobody in', async () => {
    const values = { userId: 'user_2', email: 'ada@example.com', ...names, role: 'member' };
    const context = aContext(personalId);
    await rejects(world.accounts.joinMember({ context, ...values }), { code: 'not_found' });
  });
});

describe('the fact that a member was deactivated', () => {
  const deactivate = (userId: string) =>
    world.accounts.deactivateMember({ context: aContext(), userId });

  test('is published once for each time', async () => {
    const facts = world.consume(directoryStream.name, subjectFilters.memberDeactivated);
    await world.join('user_2');
    await deactivate('user_2');
    await deactivate('user_2');
    await world.accounts.reactivateMember({ context: aContext(), userId: 'user_2' });
    await deactivate('user_2');
    await eventually(() => equal(facts.length, 2));
    const { occurredAt, ...fact } = MemberDeactivated.fromJSON(facts[0]?.data);
    deepEqual(fact, { factId: 'org_1.user_2@1', accountId, userId: 'user_2' });
    equal(Number.isNaN(Date.parse(occurredAt)), false);
    deepEqual(
      facts.map(({ subject, id }) => [subject, id]),
      [
        ['directory.v1.member.org_1', 'org_1.user_2@1'],
        ['directory.v1.member.org_1', 'org_1.user_2@3'],
      ],
    );
  });

  test('reaches the bus after it was away', async () => {
    const facts = world.consume(directoryStream.name, subjectFilters.memberDeactivated);
    await world.join('user_2');
    world.bus.setConnected(false);
    await deactivate('user_2');
    world.bus.setConnected(true);
    await eventually(() => equal(facts.length, 1));
  });
});

test('what a member is called is published, and nothing of it once they are none any more', async () => {
  const facts = world.consume(nameStream.name, subjectFilters.entityNamed);
  const values = { userId: 'user_2', email: 'ada@example.com', role: 'member' };
  const context = aContext();
  await world.accounts.joinMember({ context, ...values, firstName: 'Ada', lastName: 'Lovelace' });
  const ofUser = () =>
    facts
      .map(({ data }) => EntityNamed.fromJSON(data))
      .filter(({ entityId }) => entityId === 'user_2')
      .map(({ kind, name, email, state }) => [kind, name, email, state]);
  await eventually(() => equal(ofUser().length, 1));
  await world.accounts.deactivateMember({ context: aContext(), userId: 'user_2' });
  await eventually(() => equal(ofUser().length, 2));
  deepEqual(ofUser(), [
    ['member', 'Ada Lovelace', 'ada@example.com', 'named'],
    ['member', '', '', 'deleted'],
  ]);
});

describe('the owner of an organization', () => {
  test('becomes a member also where the process died after it was opened', async () => {
    const opened = {
      accountId: 'org_2',
      kind: 'organization',
      name: 'Other',
      ownerUserId: 'user_5',
      defaultWorkspaceId: '0190a000-0000-7000-8000-000000000010',
      openedAt: '2026-01-02T03:04:05.678Z',
    };
    const commandId = '0190a000-0000-7000-8000-000000000001';
    await world.eventStore.append(
      'account-org_2',
      [
        {
          id: commandId,
          type: 'AccountOpened',
          data: opened,
          metadata: {
            schemaVersion: 1,
            occurredAt: opened.openedAt,
            commandId,
            actor: { type: 'system', id: 'bootstrap' },
            requestId: 'req-1',
            $correlationId: 'req-1',
            $causationId: commandId,
          },
        },
      ],
      'no_stream',
    );
    const userIds = ['user_5'];
    await eventually(async () => {
      const { members } = await world.accounts.getMembers({ accountId: 'org_2', userIds });
      deepEqual(
        members.map(({ email, role }) => [email, role]),
        [['user_5@localhost', 'admin']],
      );
    });
  });
});
