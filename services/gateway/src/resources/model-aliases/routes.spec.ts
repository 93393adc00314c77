import { deepEqual, equal } from 'node:assert/strict';
import type { CatalogQuestion } from '@sluice/inference-port';
import { describe, test } from 'vitest';
import { gatewayWorld, personalId } from '../../testing/gateway-world.ts';

const known = new Set(['sim/echo', 'sim/chat', 'service/auto']);
const readCatalog = async ({ parameters }: CatalogQuestion) => {
  const status = known.has(parameters['model'] ?? '') ? 200 : 404;
  return { status, headers: {}, body: Buffer.from('{}') };
};
const dataOf = ({ json }: { json: Record<string, unknown> }) =>
  json['data'] as Record<string, unknown>;
const pathsOf = ({ json }: { json: Record<string, unknown> }) =>
  (json['error'] as { metadata: { issues?: { path: string }[] } }).metadata.issues?.map(
    ({ path }) => path,
  );

async function worldWithKeys() {
  const world = await gatewayWorld({ readCatalog });
  const { secret: key } = world.management({ creatorUserId: 'user_1' });
  const ask = (line: string, body?: object, as = key) =>
    world.request(line, { key: as, ...(body === undefined ? {} : { body }) });
  return { ...world, ask };
}
const put = 'PUT /v1/model-aliases/team/default';

describe('aliases of models', () => {
  test('are set, read, listed, changed and deleted', async () => {
    const { ask } = await worldWithKeys();
    const made = await ask(put, { models: ['sim/echo', 'service/auto'], budget_model: 'sim/chat' });
    equal(made.status, 200, made.text);
    const { name, models, budget_model, workspace_id, description, version } = dataOf(made);
    deepEqual(
      [name, models, budget_model],
      ['team/default', ['sim/echo', 'service/auto'], 'sim/chat'],
    );
    deepEqual([workspace_id, description, version], [null, null, 1]);
    const changed = await ask(put, { models: ['sim/chat'], description: 'Ours' });
    deepEqual([dataOf(changed)['version'], dataOf(changed)['budget_model']], [2, null]);
    deepEqual(dataOf(await ask('GET /v1/model-aliases/team/default')), dataOf(changed));
    const { json } = await ask('GET /v1/model-aliases');
    deepEqual(json['data'], [dataOf(changed)]);
    equal((await ask('DELETE /v1/model-aliases/team/default')).json['deleted'], true);
    equal((await ask('DELETE /v1/model-aliases/team/default')).status, 404);
    equal((await ask('GET /v1/model-aliases/team/default')).status, 404);
  });

  test.each<[string, object, readonly string[]]>([
    [put, { models: ['no/such'] }, ['models.0']],
    [put, { models: ['sim/echo'], budget_model: 'no/such' }, ['budget_model']],
    ['PUT /v1/model-aliases/sim/echo', { models: ['sim/chat'] }, ['name']],
    [put, { models: [] }, ['models']],
    [put, {}, ['models']],
    [put, { models: ['sim/echo'], more: 1 }, ['more']],
  ])('%s refuses %j by its place', async (line, body, paths) => {
    const { ask } = await worldWithKeys();
    const refused = await ask(line, body);
    deepEqual([refused.status, pathsOf(refused)], [400, paths]);
  });

  test('are for management keys, and show nothing to another account', async () => {
    const { ask, regular, management } = await worldWithKeys();
    await ask(put, { models: ['sim/echo'] });
    const { secret } = regular({});
    equal((await ask(put, { models: ['sim/echo'] }, secret)).status, 403);
    equal((await ask('GET /v1/model-aliases', undefined, secret)).status, 403);
    const foreign = management({ accountId: personalId }).secret;
    deepEqual((await ask('GET /v1/model-aliases', undefined, foreign)).json['data'], []);
    equal((await ask('DELETE /v1/model-aliases/team/default', undefined, foreign)).status, 404);
  });
});
