import { equal } from 'node:assert/strict';
import { specifyShownChanges } from '@sluice/boot/testing';
import type { EventStore } from '@sluice/es';
import { inject } from 'vitest';
import { aContext, accountWorld, organizationId as accountId } from './testing/account-world.ts';

const start = async (eventStore: EventStore) => {
  const world = await accountWorld({ postgresUrl: inject('postgresUrl'), eventStore });
  await world.open();
  return world;
};

specifyShownChanges(start, {
  'an end user': async (world) => {
    const context = aContext();
    return {
      change: () => world.endUsers.registerEndUser({ context, user: 'late' }),
      look: () => world.endUsers.getEndUser({ accountId, user: 'late' }),
    };
  },
  'a private endpoint': async (world) => {
    const { endpoint } = await world.createEndpoint();
    const { endpointId = '' } = endpoint ?? {};
    const pricing = { prompt: '1', completion: '0' };
    const context = aContext();
    return {
      change: () => world.privateEndpoints.repricePrivateEndpoint({ context, endpointId, pricing }),
      async look() {
        const shown = await world.privateEndpoints.getPrivateEndpoint({ accountId, endpointId });
        equal(shown.endpoint?.pricing?.prompt, '1');
      },
    };
  },
  'a member who is deactivated': async (world) => {
    await world.join('user_2');
    const context = aContext();
    return {
      change: () => world.accounts.deactivateMember({ context, userId: 'user_2' }),
      async look() {
        const page = { accountId, offset: 0, limit: 10 };
        equal((await world.accounts.listMembers(page)).totalCount, 1);
      },
    };
  },
});
