import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { gatewayWorld } from '../../testing/gateway-world.ts';

const body = '{"model":"sim/echo","messages":[]}';

describe('POST /v1/messages', () => {
  test.each(['/v1/messages', '/v1/v1/messages', '/v1/messages?beta=true'])(
    'hands the bytes of %s on as they came, with what the client asks for',
    async (url) => {
      const { request, regular, calls } = await gatewayWorld();
      const headers = {
        'x-api-key': regular().secret,
        'anthropic-version': '2023-06-01',
        'anthropic-beta': 'interleaved-thinking-2025-05-14,unknown-1',
      };
      const reply = await request(`POST ${url}`, { body, headers });
      equal(reply.status, 200);
      const [call] = calls;
      equal(call?.dialect, 'messages');
      equal(Buffer.from(call.body).toString(), body);
      deepEqual(call.client?.anthropicBetas, ['interleaved-thinking-2025-05-14']);
    },
  );

  test('takes a bearer, which counts before an x-api-key', async () => {
    const { request, regular } = await gatewayWorld();
    const headers = { 'x-api-key': 'wrong' };
    const reply = await request('POST /v1/messages', { key: regular().secret, body, headers });
    equal(reply.status, 200);
  });

  test.each([
    [{}, 401, 'Missing Authentication header'],
    [{ 'x-api-key': 'sk-ant-1' }, 401, undefined],
  ])('refuses %j in the form of its clients', async (headers, status, message) => {
    const { request, calls } = await gatewayWorld();
    const reply = await request('POST /v1/messages', { body, headers });
    equal(reply.status, status);
    const {
      type,
      error,
      request_id: id,
    } = reply.json as {
      readonly type: string;
      readonly error: { readonly type: string; readonly message: string };
      readonly request_id: unknown;
    };
    deepEqual([type, error.type, id], ['error', 'authentication_error', null]);
    if (message !== undefined) equal(error.message, message);
    equal(calls.length, 0);
  });

  test('an x-api-key opens no other route', async () => {
    const { request, regular } = await gatewayWorld();
    const headers = { 'x-api-key': regular().secret };
    equal((await request('POST /v1/responses', { body, headers })).status, 401);
  });
});

test('POST /v1/messages/count_tokens asks for the count of the same body', async () => {
  const { request, regular, calls } = await gatewayWorld();
  const headers = { 'x-api-key': regular().secret };
  const reply = await request('POST /v1/messages/count_tokens?beta=true', { body, headers });
  equal(reply.status, 200);
  equal(calls[0]?.dialect, 'count-tokens');
  const stranger = await request('POST /v1/messages/count_tokens', { body });
  equal(stranger.status, 401);
  equal(stranger.json['type'], 'error');
});

describe('each answer of the API of messages', () => {
  test('names its request as the SDKs of Anthropic read it', async () => {
    const { request, regular } = await gatewayWorld();
    for (const headers of [{ 'x-api-key': regular().secret }, {}]) {
      const reply = await request('POST /v1/messages', { body, headers });
      equal(reply.headers['request-id'], reply.headers['x-request-id']);
    }
    const other = await request('POST /v1/responses', { key: regular().secret, body });
    equal(other.headers['request-id'], undefined);
  });

  test.each([
    'GET /v1/messages',
    'DELETE /v1/messages?a=b',
    'POST /v1/messages/',
    'GET /v1/messages/batches',
  ])('has the form of its errors where nothing is served: %s', async (line) => {
    const { request } = await gatewayWorld();
    const reply = await request(line);
    equal(reply.status, 404);
    const { type, error } = reply.json as { type: string; error: { type: string } };
    deepEqual([type, error.type], ['error', 'not_found_error']);
    equal(typeof reply.headers['request-id'], 'string');
    const other = await request('GET /v1/messagesx');
    equal(other.json['type'], undefined);
  });
});
