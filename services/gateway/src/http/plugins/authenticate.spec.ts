import { deepEqual, equal } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { inspectApiKey, mintApiKey } from '@sluice/api-key';
import { subjects } from '@sluice/bus';
import { Fault } from '@sluice/errors';
import { describe, test } from 'vitest';
import { gatewayWorld, startedMs, type TestReply } from '../../testing/gateway-world.ts';

const unknownKey = () => mintApiKey('regular', randomBytes);
const afterBusDelivery = () => new Promise((resolve) => setImmediate(resolve));

function isRefused({ status, json }: TestReply, message: string, reason?: string): void {
  equal(status, 401);
  const metadata = { ...(reason === undefined ? {} : { reason }), error_type: 'authentication' };
  deepEqual(json, { error: { code: 401, message, metadata } });
}

describe('a request without a credential', () => {
  test.each([undefined, '', '   '])(
    '(%j) is answered that the header is missing',
    async (header) => {
      const { request } = await gatewayWorld();
      const headers = header === undefined ? {} : { authorization: header };
      isRefused(await request('POST /v1/responses', { headers }), 'Missing Authentication header');
    },
  );
});

describe('a credential that is none of ours is refused with one and the same answer:', () => {
  test.each([
    ['another scheme', (secret: string) => `Basic ${secret}`],
    ['no scheme', (secret: string) => secret],
    ['a scheme alone', () => 'Bearer'],
    ['two keys', (secret: string) => `Bearer ${secret} ${secret}`],
    ['a key with a wrong checksum', (secret: string) => `Bearer ${secret.slice(0, -1)}_`],
    ['a key that was never issued', () => `Bearer ${unknownKey()}`],
    ['something that is no key', () => 'Bearer hello'],
  ])('%s', async (_what, header) => {
    const { request, regular } = await gatewayWorld();
    const authorization = header(regular().secret);
    const reply = await request('POST /v1/responses', { headers: { authorization } });
    isRefused(reply, 'Invalid credentials');
  });

  test('a disabled key, expired or not', async () => {
    const { request, regular } = await gatewayWorld();
    const expiresAt = new Date(startedMs - 1).toISOString();
    for (const key of [regular({ disabled: true }), regular({ disabled: true, expiresAt })])
      isRefused(await request('GET /v1/key', { key: key.secret }), 'Invalid credentials');
  });

  test('a deleted key', async () => {
    const { request, regular, management } = await gatewayWorld();
    const { key, secret } = regular();
    equal((await request('GET /v1/key', { key: secret })).status, 200);
    await request(`DELETE /v1/keys/${key.hash}`, { key: management().secret });
    isRefused(await request('GET /v1/key', { key: secret }), 'Invalid credentials');
  });
});

describe('a key', () => {
  test('is taken with the scheme in any case and more than one space', async () => {
    const { request, regular } = await gatewayWorld();
    const headers = { authorization: `bEARER   ${regular().secret}` };
    equal((await request('POST /v1/responses', { headers, body: {} })).status, 200);
  });

  test('is refused from the very millisecond it expires, also when it was known before', async () => {
    const { request, regular, clock } = await gatewayWorld();
    const key = regular({ expiresAt: new Date(startedMs + 1_000).toISOString() }).secret;
    clock.advance(999);
    equal((await request('GET /v1/key', { key })).status, 200);
    clock.advance(1);
    isRefused(await request('GET /v1/key', { key }), 'API key expired', 'key_expired');
  });

  test('that is sent to a public route must be valid', async () => {
    const { request, regular } = await gatewayWorld();
    equal((await request('GET /v1/models')).status, 200);
    equal((await request('GET /v1/models', { key: regular().secret })).status, 200);
    isRefused(await request('GET /v1/models', { key: unknownKey() }), 'Invalid credentials');
  });

  test('costs one question however often it is used', async () => {
    const { request, regular, keys } = await gatewayWorld();
    const key = regular().secret;
    for (let count = 0; count < 5; count++) await request('GET /v1/key', { key });
    equal(keys.resolved(), 1);
  });

  test('that was disabled elsewhere is refused when the change is received', async () => {
    const { request, regular, keys, bus } = await gatewayWorld();
    const { key, secret } = regular();
    equal((await request('GET /v1/key', { key: secret })).status, 200);
    const context = { accountId: key.accountId } as never;
    const rest = { name: undefined, includeByokInLimit: undefined };
    const update = { ...rest, limit: undefined, limitReset: undefined, disabled: true };
    await keys.calls.updateKey({ context, hash: key.hash, ...update });
    bus.publish(subjects.keyChanged(key.hash), { hash: key.hash });
    await afterBusDelivery();
    isRefused(await request('GET /v1/key', { key: secret }), 'Invalid credentials');
  });

  test('cannot be checked while the key service is away: that is not the key’s fault', async () => {
    const { request, regular } = await gatewayWorld({
      wrapKeys: (calls) => ({
        ...calls,
        resolveKey: () => Promise.reject(new Fault('unavailable')),
      }),
    });
    const { status, json } = await request('GET /v1/key', { key: regular().secret });
    equal(status, 503);
    deepEqual(json['error'], {
      code: 503,
      message: 'Service temporarily unavailable',
      metadata: { error_type: 'provider_overloaded' },
    });
  });

  test('with a wrong checksum is not looked up', async () => {
    const { request, regular, keys } = await gatewayWorld();
    const { secret } = regular();
    const other = secret.endsWith('a') ? 'b' : 'a';
    equal(inspectApiKey(secret.slice(0, -1) + other), undefined);
    await request('GET /v1/key', { key: secret.slice(0, -1) + other });
    equal(keys.resolved(), 0);
  });
});

describe('guessing', () => {
  const settings = { authFailuresPerMinute: 3 };

  test('is answered with 429 after too many failures of an address in a minute', async () => {
    const { request, clock } = await gatewayWorld({ settings });
    const statuses: number[] = [];
    for (let count = 0; count < 4; count++)
      statuses.push((await request('GET /v1/key', { key: unknownKey() })).status);
    deepEqual(statuses, [401, 401, 401, 429]);
    const refused = await request('GET /v1/key', { key: 'nonsense' });
    equal(refused.status, 429);
    equal(refused.headers['retry-after'], '20');
    equal(refused.headers['x-ratelimit-limit'], '3');
    equal(refused.headers['x-ratelimit-remaining'], '0');
    equal(refused.headers['x-ratelimit-reset'], String(startedMs + 60_000));
    clock.advance(20_000);
    equal((await request('GET /v1/key', { key: unknownKey() })).status, 401);
  });

  test('of one address does not lock out another', async () => {
    const { request } = await gatewayWorld({ settings: { authFailuresPerMinute: 1 } });
    const guess = (address: string) => request('GET /v1/key', { key: unknownKey(), address });
    equal((await guess('192.0.2.1')).status, 401);
    equal((await guess('192.0.2.1')).status, 429);
    equal((await guess('192.0.2.2')).status, 401);
  });

  test('does not lock out good keys of the same address, known or new', async () => {
    const { request, regular } = await gatewayWorld({ settings });
    const known = regular().secret;
    await request('GET /v1/key', { key: known });
    for (let count = 0; count < 10; count++) await request('GET /v1/key', { key: unknownKey() });
    equal((await request('GET /v1/key', { key: known })).status, 200);
    equal((await request('GET /v1/key', { key: regular().secret })).status, 200);
  });

  test('reaches the key service only so often', async () => {
    const { request, regular, keys } = await gatewayWorld({
      settings: { authFailuresPerMinute: 1 },
    });
    const known = regular().secret;
    await request('GET /v1/key', { key: known });
    for (let count = 0; count < 50; count++) await request('GET /v1/key', { key: unknownKey() });
    equal(keys.resolved(), 1 + 1 + 10);
    equal((await request('GET /v1/key', { key: known })).status, 200);
  });

  test('is not what a request without a key does', async () => {
    const { request } = await gatewayWorld({ settings: { authFailuresPerMinute: 1 } });
    for (let count = 0; count < 5; count++) equal((await request('GET /v1/key')).status, 401);
  });

  test('counts once per address however the client says it came', async () => {
    const { request } = await gatewayWorld({ settings: { authFailuresPerMinute: 1 } });
    const guess = (from: string) =>
      request('GET /v1/key', { key: unknownKey(), headers: { 'x-forwarded-for': from } });
    equal((await guess('192.0.2.1')).status, 401);
    equal((await guess('192.0.2.2')).status, 429);
  });

  test('counts per client behind a proxy that is trusted', async () => {
    const { request } = await gatewayWorld({
      settings: { authFailuresPerMinute: 1, trustedProxies: ['127.0.0.1'] },
    });
    const guess = (from: string) =>
      request('GET /v1/key', { key: unknownKey(), headers: { 'x-forwarded-for': from } });
    equal((await guess('192.0.2.1')).status, 401);
    equal((await guess('192.0.2.2')).status, 401);
    equal((await guess('192.0.2.2')).status, 429);
  });
});
