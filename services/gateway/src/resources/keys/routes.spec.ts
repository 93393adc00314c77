import { deepEqual, equal, match } from 'node:assert/strict';
import { inspectApiKey } from '@sluice/api-key';
import { Fault } from '@sluice/errors';
import { KeyKind } from '@sluice/protos/sluice/key/v1/key';
import { describe, test } from 'vitest';
import {
  gatewayWorld,
  otherWorkspaceId,
  ownerUserId,
  personalId,
  startedMs,
  type TestReply,
  workspaceId,
} from '../../testing/gateway-world.ts';

const usd = (amount: number) => BigInt(amount * 1_000) * 1_000_000n;
const nothing = { lifetimeNanoUsd: 0n, dailyNanoUsd: 0n, weeklyNanoUsd: 0n, monthlyNanoUsd: 0n };
const noHash = 'f'.repeat(64);

const dataOf = ({ json }: TestReply) => json['data'] as Record<string, unknown>;
const listOf = ({ json }: TestReply) => json['data'] as Record<string, unknown>[];
const issuesOf = ({ json }: TestReply) =>
  (json['error'] as { metadata: { issues?: { path: string; message: string }[] } }).metadata.issues;

describe('POST /v1/keys', () => {
  test('makes a key and shows its secret this once', async () => {
    const { request, management } = await gatewayWorld();
    const reply = await request('POST /v1/keys', {
      key: management().secret,
      body: { name: 'mine' },
    });
    equal(reply.status, 201);
    const { key, ...rest } = reply.json;
    match(String(key), /^sk-sluice-v1-/);
    const { hash, label, created_at, updated_at, ...data } = dataOf(reply);
    equal(hash, inspectApiKey(String(key))?.hash);
    match(String(label), /^sk-sluice-v1-.{3}\.\.\..{3}$/);
    equal(updated_at, created_at);
    deepEqual(Object.keys(rest), ['data']);
    deepEqual(data, {
      name: 'mine',
      disabled: false,
      limit: null,
      limit_remaining: null,
      limit_reset: null,
      include_byok_in_limit: false,
      usage: 0,
      usage_daily: 0,
      usage_weekly: 0,
      usage_monthly: 0,
      byok_usage: 0,
      byok_usage_daily: 0,
      byok_usage_weekly: 0,
      byok_usage_monthly: 0,
      expires_at: null,
      creator_user_id: null,
      external_user: null,
      workspace_id: workspaceId,
      last_used_at: null,
    });
    equal((await request('GET /v1/key', { key: String(key) })).status, 200);
  });

  test('takes everything a key can have', async () => {
    const { request, management } = await gatewayWorld();
    const body = {
      name: 'all',
      limit: 12.345678901,
      limit_reset: 'monthly',
      include_byok_in_limit: true,
      expires_at: '2026-12-31T23:59:59.5Z',
      creator_user_id: ownerUserId,
      workspace_id: workspaceId,
    };
    const reply = await request('POST /v1/keys', { key: management().secret, body });
    equal(reply.status, 201);
    const expected = {
      ...body,
      expires_at: '2026-12-31T23:59:59.500Z',
      limit_remaining: 12.345678901,
    };
    for (const [name, value] of Object.entries(expected)) equal(dataOf(reply)[name], value, name);
  });

  test('keeps a limit to the nano-dollar, beyond what a double can hold', async () => {
    const { request, management, keys } = await gatewayWorld();
    const body = '{"name":"exact","limit":123456789.123456789}';
    const reply = await request('POST /v1/keys', { key: management().secret, body });
    const { key } = await keys.calls.getKey({
      accountId: 'org_1',
      hash: String(dataOf(reply)['hash']),
    });
    equal(key?.limitNanoUsd, 123_456_789_123_456_789n);
  });

  test.each([
    ['no name', {}, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a name of 201 characters', { name: 'x'.repeat(201) }, 'name'],
    ['a name with a control character', { name: 'a\0b' }, 'name'],
    ['a name with half a character', '{"name":"a\\ud83d"}', 'name'],
    ['a negative limit', { name: 'a', limit: -0.01 }, 'limit'],
    ['a limit as text', { name: 'a', limit: '5' }, 'limit'],
    ['a limit of 10 places', '{"name":"a","limit":0.0000000001}', 'limit'],
    ['a limit over a billion', { name: 'a', limit: 1_000_000_001 }, 'limit'],
    ['another reset', { name: 'a', limit_reset: 'hourly' }, 'limit_reset'],
    ['a number for a boolean', { name: 'a', include_byok_in_limit: 1 }, 'include_byok_in_limit'],
    ['an expiry in the past', { name: 'a', expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    ['an expiry now', { name: 'a', expires_at: new Date(startedMs).toISOString() }, 'expires_at'],
    ['an expiry elsewhere', { name: 'a', expires_at: '2027-01-01T00:00:00+02:00' }, 'expires_at'],
    ['an expiry in minutes', { name: 'a', expires_at: '2027-01-01T00:00Z' }, 'expires_at'],
    ['a day that is none', { name: 'a', expires_at: '2027-02-30T00:00:00Z' }, 'expires_at'],
    ['a leap second', { name: 'a', expires_at: '2027-06-30T23:59:60Z' }, 'expires_at'],
    ['no text as its maker', { name: 'a', creator_user_id: 9 }, 'creator_user_id'],
    ['an external user that is none', { name: 'a', external: { user: '' } }, 'external.user'],
    ['an external key without its user', { name: 'a', external: {} }, 'external.user'],
    [
      'a short external key',
      { name: 'a', external: { user: 'u', api_key: 'x'.repeat(31) } },
      'external.api_key',
    ],
    ['more about the external user', { name: 'a', external: { user: 'u', x: 1 } }, 'external.x'],
    ['a workspace that is no UUID', { name: 'a', workspace_id: 'default' }, 'workspace_id'],
    ['another account’s workspace', { name: 'a', workspace_id: otherWorkspaceId }, 'workspace_id'],
    ['a field of another time', { name: 'a', disabled: true }, 'disabled'],
    ['an unknown field', { name: 'a', account_id: personalId }, 'account_id'],
    ['a list', '[]', 'body'],
    ['nothing', 'null', 'body'],
  ])('refuses %s, and says where', async (_what, body, path) => {
    const { request, management, keys } = await gatewayWorld();
    const key = management().secret;
    const reply = await request('POST /v1/keys', { key, body });
    equal(reply.status, 400);
    deepEqual(
      issuesOf(reply)?.map((issue) => issue.path),
      [path],
    );
    equal(listOf(await request('GET /v1/keys', { key })).length, 0);
    equal(keys.resolved(), 1);
  });

  test('refuses a request without a body', async () => {
    const { request, management } = await gatewayWorld();
    equal((await request('POST /v1/keys', { key: management().secret })).status, 400);
  });

  test('shows the secret also while the ledger is away', async () => {
    const { request, management, ledger } = await gatewayWorld();
    const reply = await request('POST /v1/keys', { key: management().secret, body: { name: 'a' } });
    equal(reply.status, 201);
    equal(ledger.usageCalls(), 0);
  });

  test('distinguishes the same Idempotency-Key of two accounts', async () => {
    const { request, management, keys } = await gatewayWorld();
    const other = keys.add({ accountId: personalId, kind: KeyKind.KEY_KIND_MANAGEMENT });
    const hashes = new Set<unknown>();
    for (const { secret } of [management(), other]) {
      const headers = { 'idempotency-key': 'same' };
      const reply = await request('POST /v1/keys', { key: secret, headers, body: { name: 'a' } });
      hashes.add(dataOf(reply)['hash']);
    }
    equal(hashes.size, 2);
  });

  test.each(['', 'x'.repeat(256), 'ä'])('refuses the Idempotency-Key "%s"', async (sent) => {
    const { request, management } = await gatewayWorld();
    const headers = { 'idempotency-key': sent };
    const key = management().secret;
    equal((await request('POST /v1/keys', { key, headers, body: { name: 'a' } })).status, 400);
  });
});

describe('GET /v1/keys', () => {
  test('lists the newest first with what they used, from one question to the ledger', async () => {
    const { request, management, regular, ledger } = await gatewayWorld();
    const [older, newer] = [regular({ limitNanoUsd: usd(5) }), regular()];
    ledger.spend(older.key.hash, {
      credits: { ...nothing, lifetimeNanoUsd: usd(7) },
      byok: nothing,
    });
    const reply = await request('GET /v1/keys', { key: management().secret });
    equal(reply.status, 200);
    deepEqual(Object.keys(reply.json), ['data']);
    deepEqual(
      listOf(reply).map(({ hash, usage, limit_remaining: left }) => [hash, usage, left]),
      [
        [newer.key.hash, 0, null],
        [older.key.hash, 7, 0],
      ],
    );
    equal(ledger.usageCalls(), 1);
  });

  test('shows disabled keys when asked, expired ones always, management keys never', async () => {
    const { request, management, regular } = await gatewayWorld();
    const key = management().secret;
    const expired = regular({ expiresAt: '2020-01-01T00:00:00.000Z' }).key.hash;
    const disabled = regular({ disabled: true }).key.hash;
    const hashes = async (query: string) =>
      listOf(await request(`GET /v1/keys${query}`, { key })).map(({ hash }) => hash);
    deepEqual(await hashes(''), [expired]);
    deepEqual(await hashes('?include_disabled=false'), [expired]);
    deepEqual(await hashes('?include_disabled=true'), [disabled, expired]);
  });

  test('pages by a hundred from an offset', async () => {
    const { request, management, regular, ledger } = await gatewayWorld();
    const key = management().secret;
    for (let count = 0; count < 103; count++) regular();
    equal(listOf(await request('GET /v1/keys', { key })).length, 100);
    equal(listOf(await request('GET /v1/keys?offset=100', { key })).length, 3);
    equal(ledger.usageCalls(), 2);
    deepEqual(listOf(await request('GET /v1/keys?offset=1000', { key })), []);
    equal(ledger.usageCalls(), 2, 'nothing to ask the ledger for');
  });

  test('shows nothing of another account', async () => {
    const { request, management, keys } = await gatewayWorld();
    keys.add({ accountId: personalId });
    deepEqual(listOf(await request('GET /v1/keys', { key: management().secret })), []);
  });

  test.each([
    ['offset=-1', 'offset'],
    ['offset=1.5', 'offset'],
    ['offset=x', 'offset'],
    ['offset=1&offset=2', 'offset'],
    ['offset=9999999999', 'offset'],
    ['include_disabled=1', 'include_disabled'],
    ['workspace_id=x', 'workspace_id'],
    [`workspace_id=${otherWorkspaceId}`, 'workspace_id'],
    ['limit=10', 'limit'],
  ])('refuses ?%s', async (query, path) => {
    const { request, management } = await gatewayWorld();
    const reply = await request(`GET /v1/keys?${query}`, { key: management().secret });
    equal(reply.status, 400);
    equal(issuesOf(reply)?.[0]?.path, path);
  });
});

describe('GET /v1/keys/{hash}', () => {
  test('shows one key', async () => {
    const { request, management, regular } = await gatewayWorld();
    const { key } = regular({ name: 'mine' });
    const reply = await request(`GET /v1/keys/${key.hash}`, { key: management().secret });
    equal(reply.status, 200);
    deepEqual([dataOf(reply)['hash'], dataOf(reply)['name']], [key.hash, 'mine']);
  });

  test('shows the usage and the last use of a past instant', async () => {
    const { request, management, regular, ledger } = await gatewayWorld();
    const { secret } = management();
    const at = '2026-11-10T00:00:00.000Z';
    const used = { ...nothing, lifetimeNanoUsd: usd(2), monthlyNanoUsd: usd(1) };
    const lastUsedAt = '2026-11-09T23:00:00.000Z';
    const shown = async (key: { readonly hash: string }) => {
      ledger.spend(key.hash, { credits: used, byok: nothing, lastUsedAt }, at);
      const data = dataOf(await request(`GET /v1/keys/${key.hash}?at=${at}`, { key: secret }));
      return ['usage', 'limit_remaining', 'last_used_at'].map((name) => data[name]);
    };
    const limit = { limitNanoUsd: usd(10), limitReset: 'monthly' };
    const later = { ...limit, lastUsedAt: '2026-11-18T00:00:00.000Z' };
    deepEqual(await shown(regular(later).key), [2, 9, lastUsedAt]);
    const before = { ...limit, lastUsedAt: '2026-11-09T22:59:00.000Z' };
    deepEqual(await shown(regular(before).key), [2, 9, before.lastUsedAt]);
    const { key } = regular();
    const early = await request(`GET /v1/keys/${key.hash}?at=2026-10-31T00:00:00Z`, {
      key: secret,
    });
    equal(early.status, 404);
  });

  test.each(['today', '2026-11-31T00:00:00Z', '2026-11-20T12:00:00.001Z'])(
    'is refused for the instant %s',
    async (at) => {
      const { request, management, regular } = await gatewayWorld();
      const url = `GET /v1/keys/${regular().key.hash}?at=${at}` as const;
      const reply = await request(url, { key: management().secret });
      equal(reply.status, 400);
      deepEqual(
        issuesOf(reply)?.map(({ path }) => path),
        ['at'],
      );
    },
  );
});

describe('PATCH /v1/keys/{hash}', () => {
  test('changes what is sent and leaves the rest', async () => {
    const { request, management, regular } = await gatewayWorld();
    const { key } = regular({ name: 'before', limitNanoUsd: usd(1), limitReset: 'daily' });
    const patch = async (body: object) =>
      dataOf(await request(`PATCH /v1/keys/${key.hash}`, { key: management().secret, body }));
    const limits = (data: Record<string, unknown>) => [data['limit'], data['limit_reset']];
    const renamed = await patch({ name: 'after' });
    deepEqual([renamed['name'], ...limits(renamed)], ['after', 1, 'daily']);
    deepEqual(limits(await patch({ limit: 0 })), [0, 'daily']);
    deepEqual(limits(await patch({ limit_reset: null })), [0, null]);
    deepEqual(limits(await patch({ limit: null })), [null, null]);
    const same = await patch({});
    deepEqual([same['name'], ...limits(same)], ['after', null, null]);
    equal((await patch({ include_byok_in_limit: true }))['include_byok_in_limit'], true);
  });

  test('shows what is left of the new window at once', async () => {
    const { request, management, regular, ledger } = await gatewayWorld();
    const { key } = regular({ limitNanoUsd: usd(10) });
    ledger.spend(key.hash, {
      credits: { ...nothing, lifetimeNanoUsd: usd(9), weeklyNanoUsd: usd(4) },
      byok: nothing,
    });
    const body = { limit_reset: 'weekly' };
    const reply = await request(`PATCH /v1/keys/${key.hash}`, { key: management().secret, body });
    equal(dataOf(reply)['limit_remaining'], 6);
  });

  test('that disables a key stops it with the next request, and that enables it lets it in', async () => {
    const { request, management, regular } = await gatewayWorld();
    const { key, secret } = regular();
    const use = async () => (await request('POST /v1/responses', { key: secret, body: {} })).status;
    const patch = (disabled: boolean) =>
      request(`PATCH /v1/keys/${key.hash}`, { key: management().secret, body: { disabled } });
    equal(await use(), 200);
    await patch(true);
    equal(await use(), 401);
    await patch(false);
    equal(await use(), 200);
  });

  test('of which the answer is lost makes the gateway ask again all the same', async () => {
    const { request, management, regular } = await gatewayWorld({
      wrapKeys: (calls) => ({
        ...calls,
        async updateKey(update) {
          await calls.updateKey(update);
          throw new Fault('timeout');
        },
      }),
    });
    const { key, secret } = regular();
    equal((await request('GET /v1/key', { key: secret })).status, 200);
    const body = { disabled: true };
    const line = `PATCH /v1/keys/${key.hash}`;
    equal((await request(line, { key: management().secret, body })).status, 408);
    equal((await request('GET /v1/key', { key: secret })).status, 401);
  });

  test.each([
    ['null for a name', { name: null }, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['null for a boolean', { disabled: null }, 'disabled'],
    ['an expiry', { expires_at: '2027-01-01T00:00:00Z' }, 'expires_at'],
    ['another workspace', { workspace_id: workspaceId }, 'workspace_id'],
    ['a limit of 10 places', { limit: 0.0000000001 }, 'limit'],
    ['a list', [], 'body'],
  ])('refuses %s', async (_what, body, path) => {
    const { request, management, regular } = await gatewayWorld();
    const line = `PATCH /v1/keys/${regular().key.hash}`;
    const reply = await request(line, { key: management().secret, body });
    equal(reply.status, 400);
    equal(issuesOf(reply)?.[0]?.path, path);
  });
});

describe('DELETE /v1/keys/{hash}', () => {
  test.each([{}, { 'content-type': 'application/json' }])(
    'deletes a key, which stops at once (headers %j)',
    async (headers) => {
      const { request, management, regular } = await gatewayWorld();
      const { key, secret } = regular();
      const line = `DELETE /v1/keys/${key.hash}`;
      equal((await request('GET /v1/key', { key: secret })).status, 200);
      const reply = await request(line, { key: management().secret, headers });
      equal(reply.status, 200);
      deepEqual(reply.json, { deleted: true });
      equal((await request('GET /v1/key', { key: secret })).status, 401);
      equal((await request(line, { key: management().secret })).status, 404);
    },
  );
});

describe('a key that is not the account’s own', () => {
  test.each(['GET', 'PATCH', 'DELETE'])(
    'is not found by %s, and stays as it is',
    async (method) => {
      const { request, management, keys } = await gatewayWorld();
      const foreign = keys.add({ accountId: personalId });
      const body = method === 'PATCH' ? { body: { disabled: true } } : {};
      for (const hash of [foreign.key.hash, noHash]) {
        const reply = await request(`${method} /v1/keys/${hash}`, {
          key: management().secret,
          ...body,
        });
        equal(reply.status, 404);
        deepEqual(reply.json, {
          error: {
            code: 404,
            message: 'Resource not found',
            metadata: { error_type: 'not_found' },
          },
        });
      }
      equal((await request('GET /v1/key', { key: foreign.secret })).status, 200);
    },
  );

  test.each([
    ['GET', 404],
    ['DELETE', 404],
    ['PATCH', 400],
  ])('has no hash of another form: %s answers %s', async (method, status) => {
    const { request, management } = await gatewayWorld();
    const body = method === 'PATCH' ? { body: {} } : {};
    for (const hash of ['x', 'F'.repeat(64), `${noHash}0`, '..%2f..'])
      equal(
        (await request(`${method} /v1/keys/${hash}`, { key: management().secret, ...body })).status,
        status,
      );
  });
});
