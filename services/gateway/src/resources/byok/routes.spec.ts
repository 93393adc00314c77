import { deepEqual, equal } from 'node:assert/strict';
import { KeyKind } from '@sluice/protos/sluice/key/v1/key';
import { describe, test } from 'vitest';
import { gatewayWorld, personalId, workspaceId } from '../../testing/gateway-world.ts';

const hash = 'ab'.repeat(32);
const secret = 'sk-upstream-0123456789-AbCd';
const body = { provider: 'openai', key: secret };
const unknownId = '33333333-3333-4333-8333-333333333333';

async function byokWorld(options: Parameters<typeof gatewayWorld>[0] = {}) {
  const world = await gatewayWorld(options);
  const { secret: key } = world.management();
  const ask = (line: string, sent?: object, headers: Readonly<Record<string, string>> = {}) =>
    world.request(line, { key, headers, ...(sent === undefined ? {} : { body: sent }) });
  const add = async (more: object = {}) => {
    const reply = await ask('POST /v1/byok', { ...body, ...more });
    return { reply, data: reply.json['data'] as Record<string, unknown> };
  };
  return { ...world, ask, add };
}

const pathsOf = (json: Record<string, unknown>) =>
  (json['error'] as { metadata: { issues?: { path: string }[] } }).metadata.issues?.map(
    ({ path }) => path,
  );

type Wrong = readonly (readonly [string, object, string])[];
const wrong: Wrong = [
  ['another name for a field', { secret: 'x' }, 'secret'],
  ['an empty secret', { key: '' }, 'key'],
  ['a secret that is none', { key: 7 }, 'key'],
  ['a name that is too long', { name: 'n'.repeat(256) }, 'name'],
  ['a number for a boolean', { disabled: 1 }, 'disabled'],
  ['an empty list of models', { allowed_models: [] }, 'allowed_models'],
  ['an empty list of keys', { allowed_api_key_hashes: [] }, 'allowed_api_key_hashes'],
  ['a hash that is none', { allowed_api_key_hashes: ['x'] }, 'allowed_api_key_hashes.0'],
  ['an empty list of users', { allowed_user_ids: [] }, 'allowed_user_ids'],
  [
    'too many models',
    { allowed_models: Array.from({ length: 101 }, (_, n) => `m${n}`) },
    'allowed_models',
  ],
  ['its own id', { id: unknownId }, 'id'],
  ['its own place', { sort_order: 1 }, 'sort_order'],
];

describe('POST /v1/byok', () => {
  test('adds a credential and shows of its secret only the label', async () => {
    const { add } = await byokWorld();
    const { reply, data } = await add();
    equal(reply.status, 201);
    const { id, created_at, ...rest } = data;
    equal(typeof id === 'string' && typeof created_at === 'string', true);
    deepEqual(rest, {
      provider: 'openai',
      label: '...AbCd',
      name: null,
      workspace_id: workspaceId,
      disabled: false,
      is_fallback: false,
      is_required: false,
      is_byok_only: false,
      declared_zdr: null,
      allowed_models: null,
      allowed_api_key_hashes: null,
      allowed_user_ids: null,
      sort_order: 0,
    });
    equal(reply.text.includes(secret), false);
  });

  test('takes every setting', async () => {
    const { add } = await byokWorld();
    const settings = {
      name: 'Ours',
      disabled: true,
      is_fallback: true,
      is_required: true,
      is_byok_only: false,
      declared_zdr: false,
      allowed_models: ['anthropic/claude-sonnet-4.5'],
      allowed_api_key_hashes: [hash],
      allowed_user_ids: ['user_1'],
    };
    const { data } = await add(settings);
    deepEqual({ ...data, ...settings }, data);
  });

  test('is one command however often it is sent with the same Idempotency-Key', async () => {
    const { ask } = await byokWorld();
    const headers = { 'idempotency-key': 'once' };
    const first = await ask('POST /v1/byok', body, headers);
    const again = await ask('POST /v1/byok', body, headers);
    deepEqual((again.json['data'] as { id: string }).id, (first.json['data'] as { id: string }).id);
  });

  test.each(['exa', 'parallel', 'firecrawl', 'perplexity', 'tavily', 'brave'])(
    'of a search engine is taken: %s',
    async (provider) => {
      const { add, questions } = await byokWorld();
      const { reply, data } = await add({ provider });
      deepEqual([reply.status, data['provider']], [201, provider]);
      deepEqual(questions, []);
    },
  );

  describe('of a provider that only the catalog of this installation has', () => {
    const listed = JSON.stringify({ data: [{ slug: 'my-own', name: 'Mine' }] });
    const replyOf = (status: number) => ({ status, headers: {}, body: Buffer.from(listed) });

    test('is taken, whole or in pieces, and the list is asked for such alone', async () => {
      const pieces = async function* () {
        yield Buffer.from(listed.slice(0, 9));
        yield Buffer.from(listed.slice(9));
      };
      const replies = [replyOf(200), { ...replyOf(200), body: pieces() }];
      const { add, ask, questions } = await byokWorld({
        readCatalog: async () => replies.shift() ?? replyOf(500),
      });
      for (let number = 0; number < 2; number++)
        equal((await add({ provider: 'my-own' })).data['provider'], 'my-own');
      equal((await add()).reply.status, 201);
      deepEqual(
        questions.map(({ view }) => view),
        ['providers', 'providers'],
      );
      equal((await ask('GET /v1/byok?provider=my-own')).json['total_count'], 2);
    });

    test('is refused while routing does not say which there are', async () => {
      const { add } = await byokWorld({ readCatalog: async () => replyOf(503) });
      equal((await add({ provider: 'my-own' })).reply.status, 503);
    });
  });

  const wrongToAdd: Wrong = [
    ...wrong,
    ['no known provider', { provider: 'nobody' }, 'provider'],
    ['what is no slug', { provider: 'No Body' }, 'provider'],
    ['a workspace that is none', { workspace_id: 'default' }, 'workspace_id'],
  ];
  test.each(wrongToAdd)('refuses %s, and says where', async (_what, more, path) => {
    const { add } = await byokWorld();
    const { reply } = await add(more);
    equal(reply.status, 400, reply.text);
    deepEqual(pathsOf(reply.json), [path]);
    equal(reply.text.includes(secret), false);
  });
});

describe('PATCH /v1/byok/{id}', () => {
  test('changes what is named, clears what is null, and leaves the rest', async () => {
    const { ask, add } = await byokWorld();
    const { data } = await add({ name: 'Ours', allowed_models: ['a'], declared_zdr: true });
    const path = `PATCH /v1/byok/${String(data['id'])}`;
    deepEqual((await ask(path, {})).json['data'], data);
    const changed = await ask(path, { name: null, is_required: true, allowed_models: ['b'] });
    const then = { ...data, name: null, is_required: true, allowed_models: ['b'] };
    deepEqual(changed.json['data'], then);
    const cleared = await ask(path, { allowed_models: null, declared_zdr: null });
    deepEqual(cleared.json['data'], { ...then, allowed_models: null, declared_zdr: null });
    const rotated = await ask(path, { key: 'sk-upstream-0123456789-WxYz' });
    equal((rotated.json['data'] as { label: string }).label, '...WxYz');
  });

  const wrongToChange: Wrong = [
    ...wrong,
    ['another provider', { provider: 'azure' }, 'provider'],
    ['another workspace', { workspace_id: workspaceId }, 'workspace_id'],
  ];
  test.each(wrongToChange)('refuses %s, and says where', async (_what, changes, path) => {
    const { ask, add } = await byokWorld();
    const { data } = await add();
    const reply = await ask(`PATCH /v1/byok/${String(data['id'])}`, changes);
    equal(reply.status, 400);
    deepEqual(pathsOf(reply.json), [path]);
  });
});

describe('GET /v1/byok', () => {
  test('is paged, counted, and of one provider when asked', async () => {
    const { ask, add } = await byokWorld();
    const { data: first } = await add();
    const { data: second } = await add({ provider: 'azure' });
    deepEqual((await ask('GET /v1/byok')).json, { data: [first, second], total_count: 2 });
    deepEqual((await ask('GET /v1/byok?offset=1&limit=1')).json['data'], [second]);
    deepEqual((await ask('GET /v1/byok?offset=9')).json, { data: [], total_count: 2 });
    deepEqual((await ask('GET /v1/byok?provider=azure')).json['data'], [second]);
  });

  test.each(['limit=0', 'limit=101', 'offset=-1', 'provider=No%20Body', 'workspace_id=x', 'x=1'])(
    'refuses ?%s',
    async (query) => {
      const { ask } = await byokWorld();
      equal((await ask(`GET /v1/byok?${query}`)).status, 400);
    },
  );
});

describe('a credential that is not there', () => {
  test('is not found: unknown, deleted, of another account, or no id at all', async () => {
    const { ask, add, keys, request } = await byokWorld();
    const { data } = await add();
    const id = String(data['id']);
    const kind = KeyKind.KEY_KIND_MANAGEMENT;
    const { secret: stranger } = keys.add({ accountId: personalId, kind });
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const sent = method === 'PATCH' ? { body: {} } : {};
      equal((await request(`${method} /v1/byok/${id}`, { key: stranger, ...sent })).status, 404);
      equal((await ask(`${method} /v1/byok/${unknownId}`, sent.body)).status, 404);
    }
    equal((await ask('GET /v1/byok/x')).status, 404);
    equal((await ask('DELETE /v1/byok/x')).status, 404);
    equal((await ask('PATCH /v1/byok/x', {})).status, 400);
    deepEqual((await ask(`DELETE /v1/byok/${id}`)).json, { deleted: true });
    equal((await ask(`GET /v1/byok/${id}`)).status, 404);
  });
});
