import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { type HeldSubscriptions, heldSubscriptions } from '@sluice/es/testing';
import { afterAll, afterEach, beforeAll, describe, inject, test } from 'vitest';
import {
  aContext,
  organizationId as accountId,
  workspaceWorld,
  type WorkspaceWorld,
} from './testing/workspace-world.ts';

let world: WorkspaceWorld;
let store: HeldSubscriptions;
let workspaceId: string;
beforeAll(async () => {
  world = await workspaceWorld({ postgresUrl: inject('postgresUrl') });
  store = heldSubscriptions(world.eventStore);
  await world.restart({ eventStore: store });
  workspaceId = await world.create();
});
afterEach(() => store.letGo());
afterAll(() => world.stop());

const notShown = { code: 'read_model_unavailable', retryAfterSeconds: 1 };
const page = { accountId, offset: 0, limit: 10 };

describe('a change that the read model does not show is answered when it does:', () => {
  test('a budget', async () => {
    const budget = { windowKind: 'daily', limitNanoUsd: 1_000_000_000n, includeByok: true };
    const set = () =>
      world.client.setBudget({ context: aContext(), workspaceRef: workspaceId, ...budget });
    store.hold();
    await rejects(set(), notShown);
    await rejects(set(), notShown);
    store.letGo();
    await set();
    const { budgets } = await world.client.listBudgets({ accountId, workspaceRef: workspaceId });
    equal(budgets.length, 1);
  });

  test('a new workspace', async () => {
    const context = aContext();
    const create = () => world.create({ context, slug: 'late', workspaceId: lateId });
    const lateId = '0190a000-0000-7000-8000-0000000000aa';
    store.hold();
    await rejects(create(), notShown);
    store.letGo();
    await create();
    ok((await world.client.getWorkspace({ accountId, workspaceId: lateId })).workspace);
  });

  test('new members', async () => {
    const context = aContext();
    const add = () =>
      world.client.addMembers({ context, workspaceRef: workspaceId, userIds: ['bob'] });
    store.hold();
    await rejects(add(), notShown);
    store.letGo();
    await add();
    const { totalCount } = await world.client.listMembers({ ...page, workspaceRef: workspaceId });
    equal(totalCount, 1);
  });
});

describe('while the read model does not show a deletion', () => {
  test('the status of the workspace has it', async () => {
    const id = await world.create({ slug: 'leaving' });
    const isAlive = async (asked: string, of = accountId) => {
      const named = { accountId: of, workspaceId: asked, userId: '' };
      return (await world.client.getWorkspaceStatus(named)).isAlive;
    };
    deepEqual([await isAlive(id), await isAlive(id.toUpperCase())], [true, true]);
    deepEqual([await isAlive(id, 'org_2'), await isAlive('leaving')], [false, false]);
    store.hold();
    const deletion = { context: aContext(), workspaceRef: id, confirmDefault: false };
    await rejects(world.client.deleteWorkspace(deletion), notShown);
    ok((await world.client.getWorkspace({ accountId, workspaceId: id })).workspace);
    equal(await isAlive(id), false);
  });
});
