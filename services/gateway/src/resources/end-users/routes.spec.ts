import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { gatewayWorld, personalId } from '../../testing/gateway-world.ts';

const minuteMs = 60_000;
const at = '2026-11-20T12:00:00.000Z';
const later = '2026-11-20T12:01:00.000Z';
const path = (user: string) => `/v1/end-users/${encodeURIComponent(user)}`;

async function endUserWorld() {
  const world = await gatewayWorld();
  const { secret: key } = world.management();
  const ask = (line: string, body?: object) =>
    world.request(line, body === undefined ? { key } : { key, body });
  const register = (user: string) => ask('POST /v1/end-users', { user });
  return { ...world, ask, register };
}

describe('an end user', () => {
  test('is registered once', async () => {
    const { ask, register } = await endUserWorld();
    const first = await register('customer-7');
    equal(first.status, 201);
    const data = { user: 'customer-7', is_active: true, created_at: at, updated_at: at };
    deepEqual(first.json, { data });
    equal((await register('customer-7')).status, 409);
    await ask(`DELETE ${path('customer-7')}`);
    equal((await register('customer-7')).status, 409);
  });

  test.each(['a/b', 'a%2Fb', 'a b', '?', '#', 'ä/😀', '+', '%', '😀'.repeat(256), '\u{200b}'])(
    'is found under the text it was registered with: %j',
    async (user) => {
      const { ask, register } = await endUserWorld();
      equal((await register(user)).status, 201);
      const found = await ask(`GET ${path(user)}`);
      equal(found.status, 200);
      deepEqual(found.json['data'], { user, is_active: true, created_at: at, updated_at: at });
      equal((await ask(`PATCH ${path(user)}`, { is_active: false })).status, 200);
      equal((await ask(`DELETE ${path(user)}`)).status, 204);
    },
  );

  test('is not found under another one', async () => {
    const { ask, register } = await endUserWorld();
    await register('a');
    for (const user of ['A', 'a ', 'b', 'a/'])
      for (const method of ['GET', 'DELETE'])
        equal((await ask(`${method} ${path(user)}`)).status, 404, user);
    equal((await ask(`PATCH ${path('A')}`, { is_active: true })).status, 404);
  });

  test('is active or not as it was said last, and says when', async () => {
    const { ask, register, clock } = await endUserWorld();
    await register('a');
    clock.advance(minuteMs);
    const changed = await ask(`PATCH ${path('a')}`, { is_active: true });
    const data = { user: 'a', is_active: true, created_at: at, updated_at: later };
    deepEqual(changed.json, { data });
    const off = await ask(`PATCH ${path('a')}`, { is_active: false });
    deepEqual(off.json, { data: { ...data, is_active: false } });
    deepEqual((await ask(`GET ${path('a')}`)).json, off.json);
  });

  test('is deactivated as often as one likes, with nothing to say', async () => {
    const { ask, register } = await endUserWorld();
    await register('a');
    for (const _ of [1, 2]) {
      const { status, text } = await ask(`DELETE ${path('a')}`);
      deepEqual([status, text], [204, '']);
    }
    deepEqual((await ask(`GET ${path('a')}`)).json['data'], {
      user: 'a',
      is_active: false,
      created_at: at,
      updated_at: at,
    });
  });

  test('is listed by code point, and without those who are not active unless they are asked for', async () => {
    const { ask, register } = await endUserWorld();
    for (const user of ['b', 'a', 'c/d']) await register(user);
    await ask(`DELETE ${path('a')}`);
    const list = async (query: string) => {
      const { status, json } = await ask(`GET /v1/end-users${query}`);
      equal(status, 200);
      const data = json['data'] as { user: string }[];
      return [data.map(({ user }) => user), json['total_count']];
    };
    deepEqual(await list(''), [['b', 'c/d'], 2]);
    deepEqual(await list('?include_inactive=false'), [['b', 'c/d'], 2]);
    deepEqual(await list('?include_inactive=true&limit=2&offset=1'), [['b', 'c/d'], 3]);
    deepEqual(await list('?user=c%2Fd'), [['c/d'], 1]);
    deepEqual(await list('?user=a'), [[], 0]);
    deepEqual(await list('?offset=2'), [[], 2]);
  });

  test.each([
    ['POST /v1/end-users', {}],
    ['POST /v1/end-users', { user: '' }],
    ['POST /v1/end-users', { user: 'x'.repeat(257) }],
    ['POST /v1/end-users', { user: 'a\nb' }],
    ['POST /v1/end-users', { user: '\u{D800}' }],
    ['POST /v1/end-users', { user: 7 }],
    ['POST /v1/end-users', { user: 'a', is_active: false }],
    [`PATCH ${path('a')}`, {}],
    [`PATCH ${path('a')}`, { is_active: 'true' }],
    [`PATCH ${path('a')}`, { is_active: null }],
    [`PATCH ${path('a')}`, { is_active: true, user: 'b' }],
    [`PATCH ${path('x'.repeat(257))}`, { is_active: true }],
    [`GET ${path('a\nb')}`, undefined],
    [`GET /v1/end-users/%ff`, undefined],
    [`GET /v1/end-users/%`, undefined],
    [`DELETE ${path('\u{7f}')}`, undefined],
    ['GET /v1/end-users?include_inactive=1', undefined],
    ['GET /v1/end-users?user=', undefined],
    ['GET /v1/end-users?limit=101', undefined],
    ['GET /v1/end-users?name=a', undefined],
  ])('is refused with 400: %s %j', async (line, body) => {
    const { ask, register } = await endUserWorld();
    await register('a');
    equal((await ask(line, body)).status, 400);
  });

  test('is nobody else’s, nothing for a personal account and nothing for a regular key', async () => {
    const world = await endUserWorld();
    await world.register('a');
    const lines = ['GET /v1/end-users', `GET ${path('a')}`, `DELETE ${path('a')}`];
    const personal = world.management({ accountId: personalId }).secret;
    const regular = world.regular().secret;
    for (const line of lines) {
      equal((await world.request(line, { key: personal })).status, 404, line);
      equal((await world.request(line, { key: regular })).status, 403, line);
    }
    equal(
      (await world.request('POST /v1/end-users', { key: personal, body: { user: 'b' } })).status,
      404,
    );
  });
});
