import { equal, rejects } from 'node:assert/strict';
import { type HeldSubscriptions, heldSubscriptions } from '@sluice/es/testing';
import { afterAll, afterEach, beforeAll, describe, inject, test } from 'vitest';
import { aContext, guardrailWorld, type GuardrailWorld } from './testing/guardrail-world.ts';

let world: GuardrailWorld;
let store: HeldSubscriptions;
beforeAll(async () => {
  world = await guardrailWorld({ postgresUrl: inject('postgresUrl') });
  store = heldSubscriptions(world.eventStore);
  await world.restart({ eventStore: store });
});
afterEach(() => store.letGo());
afterAll(() => world.stop());

const accountId = 'org_1';
const notShown = { code: 'read_model_unavailable', retryAfterSeconds: 1 };

describe('a change that the read model does not show is answered when it does:', () => {
  test('an assignment', async () => {
    const { guardrailId } = await world.create();
    const keyHashes = [world.directory.addKey()];
    const context = aContext();
    const assign = () =>
      world.client.assignToKeys({ context, guardrailId, assignedBy: 'user_1', keyHashes });
    store.hold();
    await rejects(assign(), notShown);
    await rejects(assign(), notShown);
    store.letGo();
    await assign();
    const page = { accountId, offset: 0, limit: 10 };
    equal((await world.client.listKeyAssignments({ ...page, guardrailId })).totalCount, 1);
  });

  test('a new guardrail', async () => {
    store.hold();
    await rejects(world.create({ name: 'late' }), notShown);
    store.letGo();
    await world.create({ name: 'later' });
  });
});
