import { equal } from 'node:assert/strict';
import { specifyShownChanges } from '@sluice/boot/testing';
import type { EventStore } from '@sluice/es';
import { inject } from 'vitest';
import { aContext, guardrailWorld } from './testing/guardrail-world.ts';

const page = { accountId: 'org_1', offset: 0, limit: 10 };
const start = (eventStore: EventStore) =>
  guardrailWorld({ postgresUrl: inject('postgresUrl'), eventStore });

specifyShownChanges(start, {
  'an assignment': async (world) => {
    const { guardrailId } = await world.create();
    const keyHashes = [world.directory.addKey()];
    const context = aContext();
    return {
      change: () =>
        world.client.assignToKeys({ context, guardrailId, assignedBy: 'user_1', keyHashes }),
      look: async () =>
        equal((await world.client.listKeyAssignments({ ...page, guardrailId })).totalCount, 1),
    };
  },
  'a new guardrail': async (world) => {
    const context = aContext();
    let guardrailId = '';
    return {
      change: async () =>
        void ({ guardrailId } = await world.create({ name: 'late' }, { context })),
      look: () => world.client.getGuardrail({ accountId: 'org_1', guardrailId }),
    };
  },
});
