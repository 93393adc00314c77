import { deepEqual, equal } from 'node:assert/strict';
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
});
