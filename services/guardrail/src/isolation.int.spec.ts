import { deepEqual, equal } from 'node:assert/strict';
import { withoutAccountFilters, withoutPolicies } from '@sluice/read-model/testing';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { guardrailWorld, type GuardrailWorld } from './testing/guardrail-world.ts';

let world: GuardrailWorld;
beforeAll(async () => {
  world = await guardrailWorld({ postgresUrl: inject('postgresUrl') });
  await world.create({}, { isUnscoped: true });
});
afterAll(() => world.stop());

const page = { offset: 0, limit: 100 };
const listed = async (accountId: string) =>
  (await world.client.listGuardrails({ accountId, workspaceId: '', ...page })).totalCount;

describe('a service that forgets for whom it asks', () => {
  test('tells an account nothing of another one’s guardrails', async () => {
    await world.restart({ database: withoutAccountFilters(world.database) });
    equal(await listed('org_2'), 0);
    equal(await listed('org_1'), 1);
    const everything = { accountId: 'org_2', guardrailId: '', ...page };
    deepEqual(await world.client.listKeyAssignments(everything), {
      assignments: [],
      totalCount: 0,
    });
    deepEqual(await world.client.listMemberAssignments(everything), {
      assignments: [],
      totalCount: 0,
    });
  });

  test('would tell, without the policies of the tables', async () => {
    await world.restart({ database: withoutPolicies(withoutAccountFilters(world.database)) });
    equal(await listed('org_2'), 1);
  });
});
