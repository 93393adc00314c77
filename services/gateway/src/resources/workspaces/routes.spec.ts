import { deepEqual, equal, match, notEqual } from 'node:assert/strict';
import type { CatalogQuestion } from '@sluice/inference-port';
import { describe, test } from 'vitest';
import { gatewayWorld, type GatewayWorld, personalId } from '../../testing/gateway-world.ts';

const full = {
  name: 'Research',
  slug: 'research',
  description: 'What comes next',
  default_text_model: 'sim/echo',
  default_image_model: null,
  default_provider_sort: 'exacto',
  is_observability_io_logging_enabled: true,
  io_logging_sampling_rate: 0.25,
  io_logging_api_key_ids: [7, 281_474_976_710_655],
  is_observability_broadcast_enabled: true,
  is_data_discount_logging_enabled: true,
  disabled_server_tools: ['service:bash'],
  default_plugins: null,
};
/** Values that would change something if their feature was there. */
const unbuilt = {
  default_image_model: 'sim/image',
};
const dataOf = ({ json }: { json: Record<string, unknown> }) =>
  json['data'] as Record<string, unknown>;
const pathsOf = ({ json }: { json: Record<string, unknown> }) =>
  (json['error'] as { metadata: { issues?: { path: string }[] } }).metadata.issues?.map(
    ({ path }) => path,
  );

async function worldWithKey(options: Parameters<typeof gatewayWorld>[0] = {}) {
  const world = await gatewayWorld(options);
  const { secret: key } = world.management({ creatorUserId: 'user_1' });
  const ask = (line: string, body?: object, headers?: Record<string, string>) =>
    world.request(line, {
      key,
      ...(body === undefined ? {} : { body }),
      ...(headers === undefined ? {} : { headers }),
    });
  return { ...world, ask };
}
const asForeigner = (world: GatewayWorld, line: string, body?: object) =>
  world.request(line, {
    key: world.management({ accountId: personalId }).secret,
    ...(body === undefined ? {} : { body }),
  });

describe('workspaces', () => {
  test('are created with all that is said, and read by id and slug', async () => {
    const { ask } = await worldWithKey();
    const created = await ask('POST /v1/workspaces', full);
    equal(created.status, 201);
    const { id, created_at, default_guardrail_id: _guardrail, ...rest } = dataOf(created);
    deepEqual(rest, {
      ...full,
      include_byok_in_budgets: false,
      created_by: 'user_1',
      updated_at: null,
    });
    equal(created_at, '2026-11-20T12:00:00.000Z');
    for (const reference of [id, 'research'])
      deepEqual((await ask(`GET /v1/workspaces/${String(reference)}`)).json, created.json);
    deepEqual((await ask('GET /v1/workspaces')).json, {
      data: [dataOf(created)],
      total_count: 1,
    });
  });

  test('are created once for the same Idempotency-Key', async () => {
    const { ask } = await worldWithKey();
    const create = async (key: string, slug: string) =>
      dataOf(await ask('POST /v1/workspaces', { name: 'A', slug }, { 'idempotency-key': key }));
    const first = await create('abc', 'a');
    equal((await create('abc', 'a'))['id'], first['id']);
    notEqual((await create('abd', 'b'))['id'], first['id']);
  });

  test('have the defaults where nothing is said', async () => {
    const { ask } = await worldWithKey();
    const data = dataOf(await ask('POST /v1/workspaces', { name: 'A', slug: 'a' }));
    deepEqual(
      [
        data['description'],
        data['default_text_model'],
        data['default_provider_sort'],
        data['is_observability_io_logging_enabled'],
        data['io_logging_sampling_rate'],
        data['io_logging_api_key_ids'],
        data['disabled_server_tools'],
      ],
      [null, null, null, false, 1, null, null],
    );
  });

  test.each([
    ['name', { ...full, name: '' }],
    ['slug', { ...full, slug: 'A b' }],
    ['description', { ...full, description: 'x'.repeat(501) }],
    ['default_provider_sort', { ...full, default_provider_sort: 'best' }],
    ['io_logging_sampling_rate', { ...full, io_logging_sampling_rate: 0 }],
    ['io_logging_sampling_rate', { ...full, io_logging_sampling_rate: 1.1 }],
    ['is_observability_io_logging_enabled', { ...full, is_observability_io_logging_enabled: 1 }],
    ['io_logging_api_key_ids.0', { ...full, io_logging_api_key_ids: [0.5] }],
    ['io_logging_api_key_ids.1', { ...full, io_logging_api_key_ids: [1, -1] }],
    ['io_logging_api_key_ids.0', { ...full, io_logging_api_key_ids: [2 ** 48] }],
    ['io_logging_api_key_ids', { ...full, io_logging_api_key_ids: [1, 1] }],
    ['disabled_server_tools.0', { ...full, disabled_server_tools: ['service:rockets'] }],
    ['include_byok_in_budgets', { ...full, include_byok_in_budgets: true }],
  ])('are not created with a wrong %s', async (path, body) => {
    const { ask } = await worldWithKey();
    const reply = await ask('POST /v1/workspaces', body);
    equal(reply.status, 400);
    equal(pathsOf(reply)?.[0], path);
  });

  test.each(Object.entries(unbuilt))(
    'do not take %s: %o, which has no effect yet',
    async (name, value) => {
      const { ask } = await worldWithKey();
      const refused = await ask('POST /v1/workspaces', { ...full, [name]: value });
      deepEqual([refused.status, pathsOf(refused)], [400, [name]]);
      match(JSON.stringify(refused.json), /must be [^"]*: it has no effect yet/);
      equal((await ask('POST /v1/workspaces', full)).status, 201);
      const changed = await ask('PATCH /v1/workspaces/research', { [name]: value });
      deepEqual([changed.status, pathsOf(changed)], [400, [name]]);
    },
  );

  test('store contents of listed keys, of all, or of none', async () => {
    const { ask } = await worldWithKey();
    equal((await ask('POST /v1/workspaces', full)).status, 201);
    const change = async (body: object) => dataOf(await ask('PATCH /v1/workspaces/research', body));
    deepEqual((await change({ io_logging_api_key_ids: [] }))['io_logging_api_key_ids'], []);
    equal((await change({ io_logging_sampling_rate: 0.5 }))['io_logging_sampling_rate'], 0.5);
    equal((await change({ io_logging_api_key_ids: null }))['io_logging_api_key_ids'], null);
    const off = await change({ is_observability_io_logging_enabled: false });
    equal(off['is_observability_io_logging_enabled'], false);
  });

  test('store the settings of plugins', async () => {
    const { ask } = await worldWithKey();
    const off = { id: 'web', enabled: false, max_uses: 2, prevent_overrides: true };
    const default_plugins = [{ id: 'moderation', prevent_overrides: false }, off];
    await ask('POST /v1/workspaces', { ...full, default_plugins: [{ id: 'moderation' }, off] });
    const read = async () => dataOf(await ask('GET /v1/workspaces/research'))['default_plugins'];
    deepEqual(await read(), default_plugins);
    await ask('PATCH /v1/workspaces/research', { default_plugins: [off] });
    deepEqual(await read(), [off]);
    await ask('PATCH /v1/workspaces/research', { default_plugins: null });
    equal(await read(), null);
    for (const [path, entry] of [
      ['default_plugins.0.id', { id: 'nobody' }],
      ['default_plugins.0.prevent_overrides', { id: 'web', prevent_overrides: 'yes' }],
    ] as const) {
      const reply = await ask('PATCH /v1/workspaces/research', { default_plugins: [entry] });
      deepEqual([reply.status, pathsOf(reply)?.[0]], [400, path]);
    }
  });

  test('name all settings without effect at once', async () => {
    const { ask } = await worldWithKey();
    const refused = await ask('POST /v1/workspaces', { ...full, ...unbuilt });
    deepEqual(pathsOf(refused), Object.keys(unbuilt));
  });

  describe('with a default model', () => {
    const known = new Set(['sim/echo', 'sim/echo:nitro']);
    const catalog = async ({ view, parameters }: CatalogQuestion) => {
      equal(view, 'callable-model');
      const status = known.has(parameters['model'] ?? '') ? 200 : 404;
      return { status, headers: {}, body: Buffer.from('{}') };
    };
    const body = (slug: string) => ({ name: 'A', slug: 'a', default_text_model: slug });

    test.each(['sim/echo', 'sim/echo:nitro'])(
      'that there is (%s) are created and changed',
      async (model) => {
        const { ask } = await worldWithKey({ readCatalog: catalog });
        equal((await ask('POST /v1/workspaces', body(model))).status, 201);
        const changed = await ask('PATCH /v1/workspaces/a', { default_text_model: model });
        equal(changed.status, 200, changed.text);
      },
    );

    test('that there is not are refused by name', async () => {
      const { ask } = await worldWithKey({ readCatalog: catalog });
      const made = await ask('POST /v1/workspaces', body('no/such'));
      deepEqual([made.status, pathsOf(made)], [400, ['default_text_model']]);
      equal((await ask('POST /v1/workspaces', body('sim/echo'))).status, 201);
      const changed = await ask('PATCH /v1/workspaces/a', { default_text_model: 'no/such' });
      deepEqual([changed.status, pathsOf(changed)], [400, ['default_text_model']]);
      const none = await ask('PATCH /v1/workspaces/a', { default_text_model: null });
      equal(none.status, 200);
    });

    test('are refused while routing does not say which there are', async () => {
      const readCatalog = async () => ({ status: 503, headers: {}, body: Buffer.from('{}') });
      const { ask } = await worldWithKey({ readCatalog });
      equal((await ask('POST /v1/workspaces', body('sim/echo'))).status, 503);
      equal((await ask('POST /v1/workspaces', { name: 'A', slug: 'a' })).status, 201);
    });
  });

  test('are not found by another account, nor by what is no name of one', async () => {
    const world = await worldWithKey();
    const id = String(dataOf(await world.ask('POST /v1/workspaces', full))['id']);
    for (const reference of [id, 'research'])
      equal((await asForeigner(world, `GET /v1/workspaces/${reference}`)).status, 404);
    for (const [line, status] of [
      ['GET /v1/workspaces/A_b', 404],
      ['PATCH /v1/workspaces/A_b', 400],
      ['DELETE /v1/workspaces/A_b', 400],
      ['GET /v1/workspaces/A_b/members', 400],
      ['GET /v1/workspaces/A_b/budgets', 404],
      ['GET /v1/workspaces/A_b/budgets/daily', 400],
      ['GET /v1/workspaces/research/budgets/yearly', 400],
      ['GET /v1/workspaces/nobody/budgets', 404],
    ] as const)
      equal(
        (await world.ask(line, line.startsWith('PATCH') ? {} : undefined)).status,
        status,
        line,
      );
  });

  test('are deleted; the default one when it is confirmed', async () => {
    const { ask, workspaces } = await worldWithKey();
    await ask('POST /v1/workspaces', full);
    const line = 'DELETE /v1/workspaces/research';
    equal((await ask(`${line}?confirm_default_workspace_deletion=yes`)).status, 400);
    deepEqual((await ask(`${line}?confirm_default_workspace_deletion=true`)).json, {
      deleted: true,
    });
    const [asked] = workspaces.asked;
    equal(asked && 'confirmDefault' in asked && asked.confirmDefault, true);
    equal((await ask(line)).status, 404);
  });
});

describe('PATCH /workspaces/{id}', () => {
  test('changes what is said and clears what is null', async () => {
    const { ask } = await worldWithKey();
    await ask('POST /v1/workspaces', full);
    const changed = await ask('PATCH /v1/workspaces/research', { name: 'B', slug: 'b' });
    equal(changed.status, 200);
    deepEqual([dataOf(changed)['name'], dataOf(changed)['description']], ['B', full.description]);
    const cleared = await ask('PATCH /v1/workspaces/b', { description: null });
    equal(dataOf(cleared)['description'], null);
  });

  test('changes nothing of what is not said', async () => {
    const { ask } = await worldWithKey();
    await ask('POST /v1/workspaces', full);
    equal((await ask('PATCH /v1/workspaces/research', {})).status, 200);
    equal((await ask('PATCH /v1/workspaces/research', { id: 'x' })).status, 400);
  });
});

describe('the members of a workspace', () => {
  test('are added and removed in an organization only', async () => {
    const world = await worldWithKey();
    await world.ask('POST /v1/workspaces', full);
    const added = await world.ask('POST /v1/workspaces/research/members/add', {
      user_ids: ['user_2'],
    });
    equal(added.status, 200);
    equal(added.json['added_count'], 1);
    const path = '/v1/workspaces/research/members';
    deepEqual((await world.ask(`POST ${path}/remove`, { user_ids: ['user_2'] })).json, {
      removed_count: 1,
    });
    equal((await world.ask(`GET ${path}`)).json['total_count'], 1);
    const own = { name: 'Mine', slug: 'mine' };
    const personal = world.management({ accountId: personalId }).secret;
    await world.request('POST /v1/workspaces', { key: personal, body: own });
    equal((await asForeigner(world, 'GET /v1/workspaces/mine/members')).status, 200);
    for (const verb of ['add', 'remove']) {
      const line = `POST /v1/workspaces/mine/members/${verb}`;
      equal((await asForeigner(world, line, { user_ids: ['user_2'] })).status, 404);
    }
  });

  test.each([[[]], [['a b']], [Array.from({ length: 101 }, (_, index) => `u${index}`)], ['u1']])(
    'are never %j',
    async (ids) => {
      const { ask } = await worldWithKey();
      const line = 'POST /v1/workspaces/research/members/add';
      equal((await ask(line, { user_ids: ids })).status, 400);
    },
  );
});

describe('the budgets of a workspace', () => {
  test('are set to the nano-USD, listed, read and taken away', async () => {
    const { ask } = await worldWithKey();
    await ask('POST /v1/workspaces', full);
    const path = '/v1/workspaces/research/budgets';
    const set = await ask(`PUT ${path}/daily`, {
      limit_usd: 0.000000001,
      include_byok_in_budgets: true,
    });
    equal(set.status, 200);
    deepEqual([dataOf(set)['limit_usd'], dataOf(set)['reset_interval']], [1e-9, 'daily']);
    equal(set.json['include_byok_in_budgets'], true);
    deepEqual(dataOf(await ask(`GET ${path}/daily`)), dataOf(set));
    deepEqual((await ask(`GET ${path}`)).json, {
      data: [dataOf(set)],
      include_byok_in_budgets: false,
    });
    equal((await ask(`GET ${path}/weekly`)).status, 404);
    const lifetime = await ask(`PUT ${path}/lifetime`, { limit_usd: 5 });
    equal(dataOf(lifetime)['reset_interval'], null);
    deepEqual((await ask(`DELETE ${path}/daily`)).json, { deleted: true });
  });

  test.each([
    { limit_usd: 0 },
    { limit_usd: -1 },
    { limit_usd: null },
    { limit_usd: '5' },
    { limit_usd: 1e10 },
    { limit_usd: 0.0000000001 },
    { limit_usd: 1, reset_interval: 'daily' },
    {},
  ])('are never %j', async (body) => {
    const { ask } = await worldWithKey();
    await ask('POST /v1/workspaces', full);
    equal((await ask('PUT /v1/workspaces/research/budgets/daily', body)).status, 400);
  });
});
