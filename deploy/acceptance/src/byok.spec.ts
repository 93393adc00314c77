import { deepEqual, equal, match } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, test } from 'vitest';
import { eventually, json, list, manage, text, type Json } from './http.ts';
import { sharedInstance } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';
import { inSecondOrganization } from './organization.ts';

let sluice: Running;
let other: Running;
beforeAll(async () => {
  sluice = await sharedInstance();
  other = await inSecondOrganization(sluice);
});

const secret = 'sk-upstream-0123456789-AbCd';
const add = async (more: object = {}, instance = sluice) => {
  const body = { provider: 'openai', key: secret, ...more };
  return await manage(instance, '/byok', { body });
};
const added = async (more: object = {}, instance = sluice): Promise<Json> => {
  const { status, body } = await add(more, instance);
  equal(status, 201, JSON.stringify(body));
  return body['data'] as Json;
};
const patch = (id: unknown, body: object) =>
  manage(sluice, `/byok/${text(id)}`, { method: 'PATCH', body });
const remove = (path: string) => manage(sluice, path, { method: 'DELETE' });
const newKey = async () => {
  const { body } = await manage(sluice, '/keys', { body: { name: 'for a list' } });
  return text(body['data']?.['hash']);
};

describe('a provider credential', () => {
  test('is added, listed in the order in which it is tried, changed, rotated and deleted', async () => {
    const first = await added({ is_fallback: true, name: 'last' });
    const second = await added();
    const third = await added({ provider: 'anthropic' });
    const { body } = await manage(sluice, '/byok');
    equal(body['total_count'], 3);
    deepEqual(
      list(body['data']).map(({ id }) => id),
      [third['id'], second['id'], first['id']],
    );
    deepEqual([first['sort_order'], second['sort_order'], third['sort_order']], [0, 1, 0]);
    const page = await manage(sluice, '/byok?provider=openai&limit=1&offset=1');
    deepEqual([list(page.body['data'])[0]?.['id'], page.body['total_count']], [first['id'], 2]);
    const changed = await patch(second['id'], { disabled: true, declared_zdr: true });
    deepEqual(changed.body['data'], { ...second, disabled: true, declared_zdr: true });
    const rotated = await patch(second['id'], { key: 'sk-upstream-0123456789-WxYz' });
    equal(rotated.body['data']?.['label'], 'sk-...WxYz');
    const read = await manage(sluice, `/byok/${text(second['id'])}`);
    deepEqual(read.body, rotated.body);
    for (const { id } of [first, second, third])
      deepEqual((await remove(`/byok/${text(id)}`)).body, { deleted: true });
    equal((await manage(sluice, `/byok/${text(second['id'])}`)).status, 404);
    deepEqual((await manage(sluice, '/byok')).body, { data: [], total_count: 0 });
  });

  test('is refused where it says what is not so', async () => {
    const pathOf = ({ body }: { body: Json }) =>
      list(body['error']?.['metadata']?.['issues'])[0]?.['path'];
    const foreign = await manage(other, '/keys', { body: { name: 'theirs' } });
    for (const [path, more] of [
      ['key', { provider: 'azure' }],
      ['provider', { provider: 'nobody' }],
      ['is_byok_only', { is_fallback: true, is_byok_only: true }],
      ['workspace_id', { workspace_id: randomUUID() }],
      ['workspace_id', { workspace_id: other.bootstrap.workspace_id }],
      ['allowed_api_key_hashes', { allowed_api_key_hashes: [] }],
      ['allowed_api_key_hashes', { allowed_api_key_hashes: [foreign.body['data']?.['hash']] }],
    ] as const) {
      const answer = await add(more);
      deepEqual([answer.status, pathOf(answer)], [400, path], JSON.stringify(more));
    }
    equal((await manage(sluice, `/byok?workspace_id=${other.bootstrap.workspace_id}`)).status, 400);
  });

  test('is a matter for management keys of its account', async () => {
    const { id } = await added();
    const path = `/byok/${text(id)}`;
    for (const call of [{}, { method: 'DELETE' }, { method: 'PATCH', body: {} }])
      equal((await json(sluice, path, call)).status, 403);
    const { management_key: key } = other.bootstrap;
    for (const call of [{}, { method: 'DELETE' }, { method: 'PATCH', body: {} }])
      equal((await json(sluice, path, { ...call, key })).status, 404);
    equal((await manage(sluice, path)).status, 200);
    await remove(path);
  });

  test('is one, however often it is asked for under one idempotency key', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = { provider: 'mistral', key: secret };
    const [one, again] = [
      await manage(sluice, '/byok', { headers, body }),
      await manage(sluice, '/byok', { headers, body }),
    ];
    deepEqual(again.body, one.body);
    const changed = { ...body, key: 'sk-upstream-0123456789-WxYz' };
    equal((await manage(sluice, '/byok', { headers, body: changed })).status, 422);
    equal((await manage(sluice, '/byok?provider=mistral')).body['total_count'], 1);
  });

  test('loses a key that is deleted, and is disabled when it was the last', async () => {
    const hash = await newKey();
    const { id } = await added({ provider: 'groq', allowed_api_key_hashes: [hash] });
    equal((await remove(`/keys/${hash}`)).status, 200);
    const { body } = await eventually(
      () => manage(sluice, `/byok/${text(id)}`),
      (answer) => answer.body['data']?.['disabled'] === (true as never),
    );
    deepEqual(body['data']?.['allowed_api_key_hashes'], []);
    equal((await patch(id, { disabled: false })).status, 400);
    equal((await patch(id, { disabled: false, allowed_api_key_hashes: null })).status, 200);
  });
});

describe('a key for somebody outside', () => {
  test('is opened by the secret that was supplied', async () => {
    const api_key = `partner-${randomUUID()}-${randomUUID()}`;
    const made = await manage(sluice, '/keys', {
      body: { name: 'partner', external: { user: 'customer-7', api_key } },
    });
    deepEqual([made.status, made.body['key']], [201, '']);
    equal(made.body['data']?.['external_user'], 'customer-7');
    match(text(made.body['data']?.['label']), /^par\.\.\..{3}$/);
    const answer = await json(sluice, '/responses', {
      key: api_key,
      body: { model: 'sim/echo', input: 'hi' },
    });
    equal(answer.status, 200);
    const { body } = await eventually(
      () => manage(sluice, `/keys/${text(made.body['data']?.['hash'])}`),
      (read) => read.body['data']?.['last_used_at'] !== (null as never),
    );
    match(text(body['data']?.['last_used_at']), /^\d{4}-\d\d-\d\dT.*Z$/);
    const again = { name: 'again', external: { user: 'customer-8', api_key } };
    equal((await manage(sluice, '/keys', { body: again })).status, 400);
  });

  test('has a creator who is a member, or none', async () => {
    const withCreator = (creator_user_id: string | null) =>
      manage(sluice, '/keys', { body: { name: 'made', creator_user_id } });
    const { admin_user_id: admin } = sluice.bootstrap;
    equal((await withCreator(admin)).body['data']?.['creator_user_id'], admin);
    equal((await withCreator(null)).body['data']?.['creator_user_id'], null);
    equal((await withCreator('user_9')).status, 400);
    equal((await withCreator(other.bootstrap.admin_user_id)).status, 400);
  });
});
