import { equal, rejects } from 'node:assert/strict';
import { describe, test } from 'vitest';
import type { Directory } from './directory.ts';
import { findCreator } from './find-creator.ts';
import { findWorkspace } from './find-workspace.ts';

const defaultWorkspaceId = '0190a000-0000-7000-8000-000000000010';
const otherWorkspaceId = '0190a000-0000-7000-8000-000000000011';

/** org_1 has ada and bob, of whom bob is in no workspace; cyd was a member and still has a workspace. */
const directory: Directory = {
  account: async (accountId) => ({
    isPersonal: accountId === 'user_1',
    ownerUserId: accountId === 'user_1' ? 'user_1' : 'ada',
    defaultWorkspaceId,
  }),
  workspaceExists: async (_accountId, workspaceId) => workspaceId === defaultWorkspaceId,
  workspaceIsAlive: async (_accountId, workspaceId) => workspaceId === defaultWorkspaceId,
  workspaceHasMember: async () => true,
  members: async (_accountId, userIds) =>
    userIds
      .filter((userId) => ['ada', 'bob', 'cyd'].includes(userId))
      .map((userId) => ({ userId, isActive: userId !== 'cyd' })),
  workspaceMembers: async (_accountId, workspaceId, userIds) =>
    userIds.filter((id) => workspaceId === defaultWorkspaceId && ['ada', 'cyd'].includes(id)),
};
const wrong = (path: string) => (error: Error & { code?: string; metadata?: object }) => {
  equal(error.code, 'invalid_request');
  const { issues } = error.metadata as { issues: { path: string }[] };
  equal(issues[0]?.path, path);
  return true;
};

describe('the creator of a key', () => {
  const creator = (
    userId: string | null,
    accountId = 'org_1',
    workspaceId: string | undefined = defaultWorkspaceId,
  ) => findCreator(directory, { accountId, workspaceId, userId });

  test('of an organization is a member of it and of the workspace, or nobody', async () => {
    equal(await creator(null), null);
    equal(await creator('ada'), 'ada');
    for (const stranger of ['bob', 'cyd', 'dan'])
      await rejects(creator(stranger), wrong('creator_user_id'));
    await rejects(creator('ada', 'org_1', otherWorkspaceId), wrong('creator_user_id'));
  });

  test('of a management key is a member of the organization', async () => {
    const of = (userId: string) =>
      findCreator(directory, { accountId: 'org_1', workspaceId: undefined, userId });
    equal(await of('bob'), 'bob');
    await rejects(of('cyd'), wrong('creator_user_id'));
  });

  test('of a personal account is its owner, named or not', async () => {
    equal(await creator(null, 'user_1'), 'user_1');
    equal(await creator('user_1', 'user_1'), 'user_1');
    await rejects(creator('ada', 'user_1'), wrong('creator_user_id'));
  });
});

describe('the workspace that is meant', () => {
  const workspace = (named: string, over: Partial<Directory> = {}) =>
    findWorkspace({ ...directory, ...over }, 'org_1', named);

  test('is the named one, in any case of letters, or the default one', async () => {
    equal(await workspace(''), defaultWorkspaceId);
    equal(await workspace(defaultWorkspaceId.toUpperCase()), defaultWorkspaceId);
  });

  test('must be there', async () => {
    for (const named of [otherWorkspaceId, 'default', ' '])
      await rejects(workspace(named), wrong('workspace_id'));
  });

  test('must be named when the default one is deleted', async () => {
    const workspaceExists = async () => false;
    await rejects(workspace('', { workspaceExists }), (error: Error & { metadata?: object }) => {
      equal(JSON.stringify(error.metadata).includes('must be named'), true);
      return true;
    });
  });
});
