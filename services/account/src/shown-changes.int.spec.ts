import { deepEqual, equal, rejects } from 'node:assert/strict';
import { inMemoryEventStore } from '@sluice/es';
import { type HeldSubscriptions, heldSubscriptions } from '@sluice/es/testing';
import { systemClock } from '@sluice/clock-and-ids';
import { afterAll, afterEach, beforeAll, describe, inject, test } from 'vitest';
import {
  aContext,
  type AccountWorld,
  accountWorld,
  organizationId as accountId,
} from './testing/account-world.ts';

let world: AccountWorld;
let store: HeldSubscriptions;
beforeAll(async () => {
  store = heldSubscriptions(inMemoryEventStore(systemClock));
  world = await accountWorld({ postgresUrl: inject('postgresUrl'), eventStore: store });
  await world.open();
});
afterEach(() => store.letGo());
afterAll(() => world.stop());

const notShown = { code: 'read_model_unavailable', retryAfterSeconds: 1 };

describe('a change that the read model does not show is answered when it does:', () => {
  test('an end user', async () => {
    const context = aContext();
    const register = () => world.endUsers.registerEndUser({ context, user: 'late' });
    store.hold();
    await rejects(register(), notShown);
    await rejects(register(), notShown);
    store.letGo();
    const { endUser } = await register();
    deepEqual(await world.endUsers.getEndUser({ accountId, user: 'late' }), { endUser });
  });

  test('a member who is deactivated', async () => {
    await world.join('user_2');
    const context = aContext();
    const deactivate = () => world.accounts.deactivateMember({ context, userId: 'user_2' });
    store.hold();
    await rejects(deactivate(), notShown);
    store.letGo();
    await deactivate();
    const page = { accountId, offset: 0, limit: 10 };
    equal((await world.accounts.listMembers(page)).totalCount, 1);
  });
});
