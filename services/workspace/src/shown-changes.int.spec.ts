import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { specifyShownChanges } from '@sluice/boot/testing';
import { systemClock } from '@sluice/clock-and-ids';
import { type EventStore, inMemoryEventStore } from '@sluice/es';
import { heldSubscriptions } from '@sluice/es/testing';
import { inject, onTestFinished, test } from 'vitest';
import {
  aContext,
  organizationId as accountId,
  workspaceWorld,
} from './testing/workspace-world.ts';

const page = { accountId, offset: 0, limit: 10 };
const start = (eventStore: EventStore) =>
  workspaceWorld({ postgresUrl: inject('postgresUrl'), eventStore });

specifyShownChanges(start, {
  'a budget': async (world) => {
    const workspaceRef = await world.create();
    const budget = { windowKind: 'daily', limitNanoUsd: 1_000_000_000n, includeByok: true };
    return {
      change: () => world.client.setBudget({ context: aContext(), workspaceRef, ...budget }),
      look: async () =>
        equal((await world.client.listBudgets({ accountId, workspaceRef })).budgets.length, 1),
    };
  },
  'a new workspace': async (world) => {
    const context = aContext();
    const workspaceId = '0190a000-0000-7000-8000-0000000000aa';
    return {
      change: () => world.create({ context, slug: 'late', workspaceId }),
      look: async () => ok((await world.client.getWorkspace({ accountId, workspaceId })).workspace),
    };
  },
  'a preset': async (world) => {
    const workspaceRef = await world.create();
    const saved = { workspaceRef, slug: 'late', format: 'messages', body: '{}' };
    const context = aContext();
    return {
      change: () => world.client.savePreset({ context, ...saved, creatorUserId: undefined }),
      look: async () =>
        equal((await world.client.listPresets({ ...page, workspaceRef })).totalCount, 1),
    };
  },
  'an alias': async (world) => {
    const alias = { workspaceRef: '', name: 'team/late', models: ['a/b'] };
    const request = { context: aContext(), ...alias, budgetModel: '', description: '' };
    return {
      change: () => world.client.setModelAlias(request),
      look: async () =>
        equal((await world.client.listModelAliases({ accountId })).aliases.length, 1),
    };
  },
  'new members': async (world) => {
    const context = aContext();
    const workspaceRef = await world.create();
    return {
      change: () => world.client.addMembers({ context, workspaceRef, userIds: ['bob'] }),
      look: async () =>
        equal((await world.client.listMembers({ ...page, workspaceRef })).totalCount, 1),
    };
  },
});

test('while the read model does not show a deletion, the status of the workspace has it', async () => {
  const store = heldSubscriptions(inMemoryEventStore(systemClock));
  const world = await start(store);
  onTestFinished(async () => {
    store.letGo();
    await world.stop();
  });
  const id = await world.create({ slug: 'leaving' });
  const isAlive = async (workspaceId: string, of = accountId) => {
    const named = { accountId: of, workspaceId, userId: '' };
    return (await world.client.getWorkspaceStatus(named)).isAlive;
  };
  deepEqual([await isAlive(id), await isAlive(id.toUpperCase())], [true, true]);
  deepEqual([await isAlive(id, 'org_2'), await isAlive('leaving')], [false, false]);
  store.hold();
  const deletion = { context: aContext(), workspaceRef: id, confirmDefault: false };
  await rejects(world.client.deleteWorkspace(deletion), { code: 'read_model_unavailable' });
  ok((await world.client.getWorkspace({ accountId, workspaceId: id })).workspace);
  equal(await isAlive(id), false);
});
