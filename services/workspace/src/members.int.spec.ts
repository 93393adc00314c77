import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import {
  aContext,
  personalId,
  workspaceWorld,
  type WorkspaceWorld,
} from './testing/workspace-world.ts';

let world: WorkspaceWorld;
let workspaceId: string;
beforeEach(async () => {
  world = await workspaceWorld({ postgresUrl: inject('postgresUrl') });
  workspaceId = await world.create();
});
afterEach(() => world.stop());

const to = (workspaceRef: string, userIds: readonly string[], accountId = 'org_1') => ({
  context: aContext(accountId),
  workspaceRef,
  userIds: [...userIds],
});
const add = (userIds: readonly string[], ref = workspaceId) =>
  world.client.addMembers(to(ref, userIds));
const remove = (userIds: readonly string[], ref = workspaceId) =>
  world.client.removeMembers(to(ref, userIds));
const list = async (ref = workspaceId, page = { offset: 0, limit: 100 }, accountId = 'org_1') =>
  await world.client.listMembers({ accountId, workspaceRef: ref, ...page });
const rolesOf = (memberships: readonly { userId: string; role: string }[]) =>
  Object.fromEntries(memberships.map(({ userId, role }) => [userId, role]));
const roles = async () => rolesOf((await list()).memberships);
const get = async (userIds: string[], id = workspaceId, accountId = 'org_1') =>
  (await world.client.getMemberships({ accountId, workspaceId: id, userIds })).memberships;
const directory = (members: Readonly<Record<string, string>>, accountId = 'org_1') =>
  world.client.setDirectoryMemberships({
    context: aContext(accountId),
    workspaceId,
    memberships: Object.entries(members).map(([userId, role]) => ({ userId, role })),
  });

describe('the members of a workspace', () => {
  test('are added with the roles of the organization, and listed as they came', async () => {
    const { addedCount, memberships } = await add(['bob']);
    deepEqual([addedCount, rolesOf(memberships)], [1, { bob: 'member' }]);
    await add(['ann', 'bob', 'bob']);
    const listed = await list();
    deepEqual(
      listed.memberships.map(({ userId, role }) => [userId, role]),
      [
        ['bob', 'member'],
        ['ann', 'admin'],
      ],
    );
    equal(listed.totalCount, 2);
    deepEqual(listed.memberships[0], memberships[0]);
    match(listed.memberships[0]?.id ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-5/);
    const second = await list(workspaceId, { offset: 1, limit: 1 });
    deepEqual([rolesOf(second.memberships), second.totalCount], [{ ann: 'admin' }, 2]);
  });

  test('are added all or not at all', async () => {
    await rejects(add(['bob', 'stranger']), {
      code: 'invalid_request',
      message: 'user_ids: stranger is no active member of the organization',
    });
    deepEqual(await roles(), {});
    for (const wrong of [[], ['a b'], Array.from({ length: 101 }, (_, index) => `u${index}`)])
      await rejects(add(wrong), { code: 'invalid_request' });
  });

  test('are removed, those without keys there; who is none is passed over', async () => {
    await add(['ann', 'bob']);
    world.organization.keys.push({ workspaceId, creator: 'ann' }, { workspaceId, creator: 'cem' });
    await rejects(remove(['ann', 'bob']), { code: 'invalid_request' });
    deepEqual(await roles(), { ann: 'admin', bob: 'member' });
    equal((await remove(['bob', 'cem', 'stranger'])).removedCount, 1);
    deepEqual(await roles(), { ann: 'admin' });
  });

  test('are never those of another account', async () => {
    await add(['ann']);
    const other = to(workspaceId, ['bob'], 'org_2');
    await rejects(world.client.addMembers(other), { code: 'not_found' });
    await rejects(world.client.removeMembers(other), { code: 'not_found' });
    await rejects(list(workspaceId, { offset: 0, limit: 1 }, 'org_2'), { code: 'not_found' });
    await rejects(get(['ann'], workspaceId, 'org_2'), { code: 'not_found' });
    await rejects(directory({}, 'org_2'), { code: 'not_found' });
    deepEqual(await roles(), { ann: 'admin' });
  });

  test('have the role of an admin as soon as the organization gives it', async () => {
    await add(['bob']);
    world.organization.members.set('bob', 'admin');
    deepEqual(await roles(), { bob: 'admin' });
    deepEqual(rolesOf(await get(['bob'])), { bob: 'admin' });
  });

  test('are answered by user: those who were added, and the admins of the organization', async () => {
    await add(['bob']);
    deepEqual(rolesOf(await get(['ann', 'bob', 'cem', 'stranger'])), {
      ann: 'admin',
      bob: 'member',
    });
    world.organization.members.delete('bob');
    deepEqual(await get(['bob']), []);
  });
});

describe('what the directory says', () => {
  test('gives and takes access beside what people gave', async () => {
    await add(['bob']);
    deepEqual(await directory({ bob: 'admin', cem: 'member' }), {
      addedCount: 1,
      changedCount: 1,
      removedCount: 0,
    });
    deepEqual(await roles(), { bob: 'admin', cem: 'member' });
    await rejects(remove(['cem']), { code: 'invalid_request' });
    await rejects(remove(['bob']), { code: 'invalid_request' });
    deepEqual(await directory({}), { addedCount: 0, changedCount: 1, removedCount: 1 });
    deepEqual(await roles(), { bob: 'member' });
    equal((await remove(['bob'])).removedCount, 1);
  });

  test('is kept by those who are to keep it', async () => {
    await directory({ bob: 'admin', cem: 'member' });
    const kept = { context: aContext(), workspaceId, userIds: ['bob'] };
    await world.client.keepDirectoryMembers(kept);
    await world.client.keepDirectoryMembers({ ...kept, context: aContext() });
    await directory({});
    deepEqual(await roles(), { bob: 'admin' });
    equal((await remove(['bob'])).removedCount, 1);
  });

  test('must name each user as admin or member', async () => {
    await rejects(directory({ bob: 'owner' }), { code: 'invalid_request' });
    await rejects(directory({ 'a b': 'member' }), { code: 'invalid_request' });
  });
});

describe('the members of a default workspace', () => {
  test('are all of the organization, and nobody is added or removed', async () => {
    const id = await world.create({ isDefault: true });
    const everybody = { ann: 'admin', bob: 'member', cem: 'member' };
    const listed = await list(id);
    deepEqual([rolesOf(listed.memberships), listed.totalCount], [everybody, 3]);
    const added = await add(['bob'], id);
    equal(added.addedCount, 0);
    deepEqual(added.memberships, listed.memberships.slice(1, 2));
    deepEqual(await get(['cem', 'bob'], id), listed.memberships.slice(1));
    await rejects(add(['stranger'], id), { code: 'invalid_request' });
    await rejects(remove(['bob'], id), { code: 'invalid_request' });
    deepEqual(rolesOf((await list(id, { offset: 1, limit: 1 })).memberships), { bob: 'member' });
  });
});

describe('the member of a personal account’s workspace', () => {
  test('is its owner', async () => {
    const id = await world.create({ context: aContext(personalId) });
    const listed = await list(id, { offset: 0, limit: 10 }, personalId);
    deepEqual([rolesOf(listed.memberships), listed.totalCount], [{ [personalId]: 'admin' }, 1]);
    deepEqual(await get([personalId, 'ann'], id, personalId), listed.memberships);
  });
});
