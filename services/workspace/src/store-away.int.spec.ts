import { deepEqual, equal, rejects } from 'node:assert/strict';
import { eventStoreAway } from '@sluice/es/testing';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import {
  aContext,
  organizationId,
  workspaceWorld,
  type WorkspaceWorld,
} from './testing/workspace-world.ts';

let world: WorkspaceWorld;
beforeAll(async () => {
  world = await workspaceWorld({ postgresUrl: inject('postgresUrl') });
});
afterAll(() => world.stop());

const accountId = organizationId;
const dollar = 1_000_000_000n;

describe('while the event store is away', () => {
  test('a process that starts then answers every question about workspaces', async () => {
    const workspaceId = await world.create();
    const deletedId = await world.create({ slug: 'gone' });
    await world.client.deleteWorkspace({
      context: aContext(),
      workspaceRef: deletedId,
      confirmDefault: false,
    });
    const budget = { windowKind: 'daily', limitNanoUsd: dollar, includeByok: true };
    await world.client.setBudget({ context: aContext(), workspaceRef: workspaceId, ...budget });
    await world.client.addMembers({
      context: aContext(),
      workspaceRef: workspaceId,
      userIds: ['bob'],
    });
    await world.restart({ eventStore: eventStoreAway() });

    const { client } = world;
    const { budgets, isAlive, includeByok } = await client.getSpendPolicy({
      accountId,
      workspaceId,
    });
    deepEqual([isAlive, includeByok], [true, true]);
    deepEqual(
      budgets.map(({ windowKind, limitNanoUsd }) => [windowKind, limitNanoUsd]),
      [['daily', dollar]],
    );
    const gone = await client.getSpendPolicy({ accountId, workspaceId: deletedId });
    equal(gone.isAlive, false);
    deepEqual(
      (await client.listBudgets({ accountId, workspaceRef: workspaceId })).budgets,
      budgets,
    );
    const found = await client.getWorkspace({ accountId, workspaceId });
    equal(found.workspace?.workspaceId, workspaceId);
    const page = { accountId, offset: 0, limit: 10 };
    equal((await client.listWorkspaces(page)).totalCount, 1);
    const members = await client.listMembers({ ...page, workspaceRef: workspaceId });
    deepEqual(
      members.memberships.map(({ userId }) => userId),
      ['bob'],
    );
    const asked = { accountId, workspaceId, userIds: ['bob'] };
    equal((await client.getMemberships(asked)).memberships.length, 1);
    await rejects(world.create({ slug: 'refused' }), { code: 'event_store_unavailable' });
  });
});
