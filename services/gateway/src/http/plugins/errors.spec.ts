import { deepEqual, equal } from 'node:assert/strict';
import { Fault } from '@sluice/errors';
import { describe, test } from 'vitest';
import { gatewayWorld, type TestReply } from '../../testing/gateway-world.ts';

const mebibyte = 1024 * 1024;

function isError({ status, json, headers }: TestReply, code: number, message: string): unknown {
  equal(status, code);
  const { error } = json as { error: { code: number; message: string; metadata: object } };
  deepEqual(Object.keys(json), ['error']);
  deepEqual(Object.keys(error).toSorted(), ['code', 'message', 'metadata']);
  equal(error.code, code);
  equal(error.message, message);
  equal(headers['content-type'], 'application/json; charset=utf-8');
  return error.metadata;
}

describe('an error leaves in the public envelope:', () => {
  test.each([
    'GET /nowhere',
    'POST /v1',
    'POST /v1/response',
    'PATCH /v1/responses',
    'HEAD /v1/nowhere',
  ])('no such route (%s)', async (line) => {
    const { request } = await gatewayWorld();
    const reply = await request(line, { body: 'not json', headers: { 'content-type': 'a/b' } });
    if (line.startsWith('HEAD')) return equal(reply.status, 404);
    deepEqual(isError(reply, 404, 'Resource not found'), { error_type: 'not_found' });
  });

  test('a path that cannot be decoded', async () => {
    const { request } = await gatewayWorld();
    const reply = await request('GET /v1/keys/%ff');
    deepEqual(isError(reply, 400, 'Invalid request parameters'), { error_type: 'invalid_request' });
    equal(typeof reply.headers['x-request-id'], 'string');
  });

  test('a body that is no JSON', async () => {
    const { request, management } = await gatewayWorld();
    const reply = await request('POST /v1/keys', { key: management().secret, body: '{"name":' });
    isError(reply, 400, 'The request body is not valid JSON');
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', ''])(
    'a body of the content type "%s"',
    async (contentType) => {
      const { request, management, regular } = await gatewayWorld();
      const sent = { body: '{}', headers: { 'content-type': contentType } };
      const message = 'The Content-Type must be application/json';
      isError(await request('POST /v1/keys', { key: management().secret, ...sent }), 400, message);
      isError(
        await request('POST /v1/responses', { key: regular().secret, ...sent }),
        400,
        message,
      );
    },
  );

  test('a body in a coding that is not known', async () => {
    const { request, regular } = await gatewayWorld();
    const headers = { 'content-encoding': 'compress' };
    const reply = await request('POST /v1/responses', { key: regular().secret, headers, body: {} });
    const message = 'The Content-Encoding must be one of: br, deflate, gzip, zstd, identity';
    isError(reply, 415, message);
  });

  test('a body behind a byte order mark', async () => {
    const { request, management, regular } = await gatewayWorld();
    const body = '\uFEFF{"name":"a"}';
    const reply = await request('POST /v1/keys', { key: management().secret, body });
    isError(reply, 400, 'The request body is not valid JSON');
    equal((await request('POST /v1/responses', { key: regular().secret, body })).status, 200);
  });

  test('a missing key, with the scheme to use', async () => {
    const { request } = await gatewayWorld();
    const { status, headers } = await request('GET /v1/keys');
    deepEqual([status, headers['www-authenticate']], [401, 'Bearer']);
  });

  test('and every answer, with what keeps browsers from guessing and caches from storing', async () => {
    const { request, management, regular } = await gatewayWorld();
    const key = management().secret;
    const made = await request('POST /v1/keys', { key, body: { name: 'a' } });
    deepEqual([made.status, made.headers['cache-control']], [201, 'no-store']);
    const asked = await request('POST /v1/responses', { key: regular().secret, body: {} });
    for (const { headers } of [made, asked, await request('GET /nowhere')])
      equal(headers['x-content-type-options'], 'nosniff');
  });

  test('a management body over 1 MiB, an inference body over 32 MiB', async () => {
    const { request, management, regular, calls } = await gatewayWorld();
    const body = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`;
    const key = management().secret;
    const large = await request('POST /v1/keys', { key, body: body(mebibyte + 1) });
    deepEqual(isError(large, 413, 'Request payload is too large'), {
      error_type: 'payload_too_large',
    });
    equal((await request('POST /v1/keys', { key, body: body(mebibyte) })).status, 400);
    const inference = { key: regular().secret };
    const full = await request('POST /v1/responses', { ...inference, body: body(32 * mebibyte) });
    equal(full.status, 200);
    const over = { ...inference, body: body(32 * mebibyte + 1) };
    isError(await request('POST /v1/responses', over), 413, 'Request payload is too large');
    equal(calls.length, 1);
  });

  test('a body that breaks its schema, with all of its faults and none of its values', async () => {
    const { request, management } = await gatewayWorld();
    const body = {
      name: 7,
      disabled: 'yes',
      limit: -1,
      extra: 'secret-value',
      limit_reset: 'yearly',
    };
    const reply = await request('POST /v1/keys', { key: management().secret, body });
    const { error } = reply.json as {
      error: { message: string; metadata: { issues: { path: string; message: string }[] } };
    };
    const { issues, ...rest } = error.metadata;
    equal(reply.status, 400);
    deepEqual(rest, { error_type: 'invalid_request' });
    equal(error.message.includes('extra: is not a known field'), true);
    const paths = new Set(issues.map(({ path }) => path));
    for (const path of ['name', 'disabled', 'limit', 'extra', 'limit_reset'])
      equal(paths.has(path), true, path);
    equal(reply.text.includes('secret-value'), false);
  });

  test('a body with very many faults, but only the first of them', async () => {
    const { request, management } = await gatewayWorld();
    const members = Array.from({ length: 500 }, (_, index) => [`field${index}`, 0]);
    const body = Object.fromEntries([...members, ['x'.repeat(10_000), 0]]) as object;
    const reply = await request('POST /v1/keys', { key: management().secret, body });
    const { error } = reply.json as { error: { metadata: { issues: object[] } } };
    equal(error.metadata.issues.length, 20);
    equal(reply.text.length < 4_000, true);
  });

  test('a fault of another service, with its own words and facts', async () => {
    const fault = new Fault('conflict', { message: 'Another one', metadata: { reason: 'taken' } });
    const { request, management } = await gatewayWorld({
      wrapKeys: (calls) => ({ ...calls, issueKey: () => Promise.reject(fault) }),
    });
    const reply = await request('POST /v1/keys', { key: management().secret, body: { name: 'a' } });
    deepEqual(isError(reply, 409, 'Another one'), {
      error_type: 'invalid_request',
      reason: 'taken',
    });
  });

  test('a fault that says when to come back', async () => {
    const fault = new Fault('unavailable', { retryAfterSeconds: 7 });
    const { request, regular } = await gatewayWorld({
      createResponse: () => Promise.reject(fault),
    });
    const reply = await request('POST /v1/responses', { key: regular().secret, body: {} });
    isError(reply, 503, 'Service temporarily unavailable');
    equal(reply.headers['retry-after'], '7');
  });

  test.each([
    ['revision_conflict', 409, '1'],
    ['timeout', 408, '1'],
    // The slug is taken: waiting does not help.
    ['conflict', 409, undefined],
  ] as const)('a fault %s, with Retry-After where waiting helps', async (code, status, wait) => {
    const { request, management } = await gatewayWorld({
      wrapKeys: (calls) => ({ ...calls, updateKey: () => Promise.reject(new Fault(code)) }),
    });
    const line = `PATCH /v1/keys/${'a'.repeat(64)}`;
    const reply = await request(line, { key: management().secret, body: { name: 'a' } });
    deepEqual([reply.status, reply.headers['retry-after']], [status, wait]);
  });

  test('a bug, of which nothing shows but in the log', async () => {
    const bug = new TypeError('cannot read postgres://user:password@host');
    const { request, regular, logger } = await gatewayWorld({
      createResponse: () => Promise.reject(bug),
    });
    const reply = await request('POST /v1/responses', { key: regular().secret, body: {} });
    deepEqual(isError(reply, 500, 'Internal Server Error'), { error_type: 'server' });
    equal(reply.text.includes('password'), false);
    equal(logger.lines.find(({ message }) => message === 'a request failed')?.fields.error, bug);
  });

  test('an internal fault of another service, masked in the same way', async () => {
    const fault = new Fault('internal', { message: 'row 7 of table x', metadata: { table: 'x' } });
    const { request, management } = await gatewayWorld({
      wrapKeys: (calls) => ({ ...calls, listKeys: () => Promise.reject(fault) }),
    });
    const reply = await request('GET /v1/keys', { key: management().secret });
    deepEqual(isError(reply, 500, 'Internal Server Error'), { error_type: 'server' });
  });
});

describe('every reply', () => {
  test('carries a request id of ours, whatever the client sends', async () => {
    const { request, regular } = await gatewayWorld();
    const headers = { 'x-request-id': 'req-mine', 'request-id': 'req-mine' };
    const lines = ['GET /v1/nowhere', 'GET /v1/models', 'GET /v1/key', 'POST /v1/responses'];
    const ids = new Set<unknown>();
    for (const line of lines) {
      const reply = await request(line, { key: regular().secret, headers });
      const id = reply.headers['x-request-id'];
      equal(/^req-[0-9a-f-]{36}$/.test(String(id)), true, String(id));
      ids.add(id);
    }
    equal(ids.size, lines.length);
  });

  test('that is no 429 of ours carries no rate limit', async () => {
    const { request, regular } = await gatewayWorld();
    const { headers } = await request('GET /v1/key', { key: regular().secret });
    equal(
      Object.keys(headers).some((name) => name.startsWith('x-ratelimit')),
      false,
    );
  });
});
