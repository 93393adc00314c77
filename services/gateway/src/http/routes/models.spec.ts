import { deepEqual, equal, match } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { gatewayWorld } from '../../testing/gateway-world.ts';

describe('GET /v1/models', () => {
  test('shows the catalogue to everybody, and to keys of both kinds', async () => {
    const { request, regular, management } = await gatewayWorld();
    for (const key of [undefined, regular().secret, management().secret]) {
      const { status, json, headers } = await request('GET /v1/models', { key });
      equal(status, 200);
      deepEqual(json, { data: [{ id: 'sim/echo' }] });
      equal(headers['content-type'], 'application/json');
    }
  });

  test('is refused to a key that is none', async () => {
    const { request } = await gatewayWorld();
    equal((await request('GET /v1/models', { key: 'sk-wrong' })).status, 401);
  });

  test.each(['limit=1', 'offset=0', 'q=gpt', 'sort=newest', 'zdr=true&region=eu'])(
    'never shows all of it to whoever asked for a part (%s)',
    async (query) => {
      const { request } = await gatewayWorld();
      const { status, json } = await request(`GET /v1/models?${query}`);
      equal(status, 400);
      const { message } = json['error'] as { message: string };
      match(message, /^[a-z]+: is not supported yet/);
    },
  );

  test('skips what is no choice of the contract', async () => {
    const { request } = await gatewayWorld();
    equal((await request('GET /v1/models?cache_buster=1')).status, 200);
  });
});
