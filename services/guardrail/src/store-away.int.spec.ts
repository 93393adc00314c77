import { deepEqual, equal, rejects } from 'node:assert/strict';
import { eventStoreAway } from '@sluice/es/testing';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { aContext, guardrailWorld, type GuardrailWorld } from './testing/guardrail-world.ts';
import { defaultWorkspaceId } from './testing/in-memory-directory.ts';

let world: GuardrailWorld;
beforeAll(async () => {
  world = await guardrailWorld({ postgresUrl: inject('postgresUrl') });
});
afterAll(() => world.stop());

const accountId = 'org_1';

describe('while the event store is away', () => {
  test('a process that starts then answers every question about guardrails', async () => {
    const { guardrailId } = await world.create();
    const keyHash = world.directory.addKey();
    const assigned = { guardrailId, assignedBy: 'user_1' };
    await world.client.assignToKeys({ context: aContext(), ...assigned, keyHashes: [keyHash] });
    await world.restart({ eventStore: eventStoreAway() });

    const { client } = world;
    const requester = { accountId, workspaceId: defaultWorkspaceId, keyHash, userId: '' };
    const { guardrails } = await client.getEffectivePolicy(requester);
    deepEqual(
      guardrails.map((one) => [one.guardrailId, one.scope, one.assigneeId]),
      [[guardrailId, 'key', keyHash]],
    );
    const found = await client.getGuardrail({ accountId, guardrailId });
    equal(found.guardrail?.guardrailId, guardrailId);
    const page = { accountId, offset: 0, limit: 10 };
    equal((await client.listGuardrails({ ...page, workspaceId: '' })).totalCount, 1);
    equal((await client.listKeyAssignments({ ...page, guardrailId })).totalCount, 1);
    equal((await client.listMemberAssignments({ ...page, guardrailId })).totalCount, 0);
    await rejects(world.create(), { code: 'event_store_unavailable' });
  });
});
