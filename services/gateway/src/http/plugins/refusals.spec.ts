import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { gatewayWorld } from '../../testing/gateway-world.ts';

const hash = 'f'.repeat(64);

async function world() {
  const made = await gatewayWorld({ settings: { keyRequestsPerMinute: 20 } });
  const refused = () =>
    made.refused.map(({ action, resourceType, resourceId, status, reason }) => [
      action,
      resourceType,
      resourceId,
      status,
      reason,
    ]);
  return { ...made, refused, refusals: made.refused };
}

describe('a change that is refused', () => {
  test('is sent to the audit: what, about what, with which status and why', async () => {
    const { request, management, refused } = await world();
    const key = management().secret;
    await request('POST /v1/keys', { key, body: { name: '' } });
    await request(`PATCH /v1/keys/${hash}`, { key, body: { disabled: true } });
    await request(`DELETE /v1/keys/${hash}`, { key });
    deepEqual(refused(), [
      ['api_key.create', 'api_key', '', 400, 'invalid_request'],
      ['api_key.update', 'api_key', hash, 404, 'not_found'],
      ['api_key.delete', 'api_key', hash, 404, 'not_found'],
    ]);
  });

  test('says who tried it, in which request and from where', async () => {
    const { request, management, refusals } = await world();
    const { secret, key } = management();
    const reply = await request('POST /v1/keys', { key: secret, body: {}, address: '203.0.113.7' });
    const { actorType, actorId, accountId, requestId, clientIp } = refusals[0]?.context ?? {};
    deepEqual(
      [actorType, actorId, accountId, requestId, clientIp],
      ['management_key', key.hash, 'org_1', reply.headers['x-request-id'], '203.0.113.7'],
    );
  });

  test('never holds a value of the request', async () => {
    const { request, management, refusals } = await world();
    const body = { name: 'a secret', unknown_field: 'sk-other-secret' };
    await request('POST /v1/keys', { key: management().secret, body });
    equal(refusals.length, 1);
    equal(/secret/.test(JSON.stringify(refusals)), false);
  });
});

describe('a key of the wrong kind', () => {
  test('is sent to the audit whatever it asks for', async () => {
    const { request, management, regular, refused } = await world();
    await request('GET /v1/keys', { key: regular().secret });
    await request('GET /v1/organization/members', { key: regular().secret });
    const body = { model: 'sim/echo', input: 'x' };
    await request('POST /v1/responses', { key: management().secret, body });
    deepEqual(refused(), [
      ['api_key.list', 'api_key', '', 403, 'management_key_required'],
      ['organization.list', 'organization', '', 403, 'management_key_required'],
      ['response.create', 'response', '', 403, 'inference_key_required'],
    ]);
  });
});

describe('nothing is sent to the audit', () => {
  test('of what was only read, passes by itself, or came with no valid key', async () => {
    const { request, management, refused } = await world();
    const key = management().secret;
    await request(`GET /v1/keys/${hash}`, { key });
    await request('GET /v1/keys?offset=x', { key });
    await request('POST /v1/keys', { body: { name: '' } });
    await request('POST /v1/keys', { key: 'mk-sluice-v1-wrong', body: { name: '' } });
    await request('GET /v1/nothing', { key });
    const changed = await request('POST /v1/keys', { key, body: { name: 'fine' } });
    equal(changed.status, 201);
    deepEqual(refused(), []);
    for (let count = 0; count < 30; count++) await request('GET /v1/keys', { key });
    equal((await request('POST /v1/keys', { key, body: { name: '' } })).status, 429);
    deepEqual(refused(), []);
  });
});
