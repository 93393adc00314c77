import { deepEqual, equal, rejects } from 'node:assert/strict';
import type { SetModelAliasRequest } from '@sluice/protos/sluice/workspace/v1/model_alias';
import { afterAll, beforeAll, inject, test } from 'vitest';
import {
  aContext,
  personalId,
  workspaceWorld,
  type WorkspaceWorld,
} from './testing/workspace-world.ts';

let world: WorkspaceWorld;
beforeAll(async () => {
  world = await workspaceWorld({ postgresUrl: inject('postgresUrl') });
});
afterAll(() => world.stop());

const accountId = 'org_1';
const set = (name: string, more: Partial<SetModelAliasRequest> = {}) =>
  world.client.setModelAlias({
    context: aContext(),
    workspaceRef: '',
    name,
    models: ['sim/echo'],
    budgetModel: '',
    description: '',
    ...more,
  });
const remove = (name: string, workspaceRef = '', account = accountId) =>
  world.client.deleteModelAlias({ context: aContext(account), workspaceRef, name });
const policyOf = async (workspaceId: string, account = accountId) => {
  const policy = await world.client.getSpendPolicy({ accountId: account, workspaceId });
  return policy.modelAliases.map(({ name, models }) => `${name} ${models.join()}`);
};

test('an alias is in the policy of each workspace at once, and one of a workspace in its own', async () => {
  const [here, there] = [await world.create(), await world.create()];
  const { alias } = await set('team/all', {
    models: ['sim/echo', 'sim/chat'],
    budgetModel: 'sim/free',
  });
  deepEqual([alias?.version, alias?.workspaceId, alias?.budgetModel], [1, '', 'sim/free']);
  await set('team/own', { workspaceRef: here });
  await set('team/all', { workspaceRef: here, models: ['sim/messages'] });
  deepEqual(await policyOf(here), ['team/own sim/echo', 'team/all sim/messages']);
  deepEqual(await policyOf(there), ['team/all sim/echo,sim/chat']);
  equal((await set('team/all', { models: ['sim/chat'] })).alias?.version, 2);
  deepEqual(await policyOf(there), ['team/all sim/chat']);
  await remove('team/all', here);
  deepEqual(await policyOf(here), ['team/own sim/echo', 'team/all sim/chat']);
  await remove('team/own', here);
  await remove('team/all');
  deepEqual(await policyOf(here), []);
});

test('aliases are listed by their names, those of one account alone', async () => {
  const workspaceRef = await world.create();
  await set('team/b', { workspaceRef });
  await set('team/b');
  await set('team/a');
  const { aliases } = await world.client.listModelAliases({ accountId });
  deepEqual(
    aliases.map(({ name, workspaceId }) => [name, workspaceId]),
    [
      ['team/a', ''],
      ['team/b', ''],
      ['team/b', workspaceRef],
    ],
  );
  deepEqual(await world.client.listModelAliases({ accountId: personalId }), { aliases: [] });
  await rejects(remove('team/a', '', personalId), { code: 'not_found' });
  await rejects(set('team/x', { context: aContext(personalId), workspaceRef }), {
    code: 'not_found',
  });
  deepEqual(await policyOf(workspaceRef, personalId), []);
});

test('an alias that names another one is refused, also when both are set at once', async () => {
  await rejects(set('team/loop', { models: ['team/loop'] }), { code: 'invalid_request' });
  const outcomes = await Promise.allSettled([
    set('team/one', { models: ['team/two'] }),
    set('team/two', { models: ['team/one'] }),
  ]);
  deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
});
