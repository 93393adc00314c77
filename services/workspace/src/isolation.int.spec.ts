import { deepEqual, equal, rejects } from 'node:assert/strict';
import { withoutAccountFilters, withoutPolicies } from '@sluice/read-model/testing';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { aContext, workspaceWorld, type WorkspaceWorld } from './testing/workspace-world.ts';

let world: WorkspaceWorld;
let workspaceId: string;
beforeAll(async () => {
  world = await workspaceWorld({ postgresUrl: inject('postgresUrl') });
  workspaceId = await world.create({ slug: 'theirs' });
  await world.client.addMembers({
    context: aContext(),
    workspaceRef: workspaceId,
    userIds: ['bob'],
  });
});
afterAll(() => world.stop());

const stranger = 'org_2';
const find = (reference: string) =>
  world.client.getWorkspace({ accountId: stranger, workspaceId: reference });
const page = { offset: 0, limit: 100 };

describe('a service that forgets for whom it asks', () => {
  test('tells an account nothing of another one’s workspaces', async () => {
    await world.restart({ database: withoutAccountFilters(world.database) });
    for (const reference of [workspaceId, 'theirs']) {
      await rejects(find(reference), { code: 'not_found' });
      const named = { accountId: stranger, workspaceRef: reference };
      await rejects(world.client.listMembers({ ...named, ...page }), { code: 'not_found' });
      await rejects(world.client.listBudgets(named), { code: 'not_found' });
    }
    deepEqual(await world.client.listWorkspaces({ accountId: stranger, ...page }), {
      workspaces: [],
      totalCount: 0,
    });
    const own = await world.client.listWorkspaces({ accountId: 'org_1', ...page });
    equal(own.totalCount, 1);
  });

  test('would tell, without the policies of the tables', async () => {
    const open = withoutPolicies(withoutAccountFilters(world.database));
    await world.restart({ database: open });
    equal((await find('theirs')).workspace?.workspaceId, workspaceId);
  });
});
