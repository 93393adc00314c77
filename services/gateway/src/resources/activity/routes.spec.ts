import { deepEqual, equal, match } from 'node:assert/strict';
import { KeyKind } from '@sluice/protos/sluice/key/v1/key';
import { describe, test } from 'vitest';
import {
  gatewayWorld,
  organizationId,
  otherWorkspaceId,
  ownerUserId,
  personalId,
  workspaceId,
} from '../../testing/gateway-world.ts';

const accountId = organizationId;
type Row = Record<string, unknown>;
const rowsOf = (json: Record<string, unknown>) => json['data'] as Row[];

describe('GET /v1/activity', () => {
  test('shows what the account used per day, model and endpoint', async () => {
    const { request, ledger, management } = await gatewayWorld();
    ledger.usage.used({
      accountId,
      workspaceId,
      requests: 3n,
      inputTokens: 1_200n,
      outputTokens: 85n,
      reasoningTokens: 20n,
      creditsNanoUsd: 1_234_500n,
      byokNanoUsd: 7n,
    });
    const { status, json } = await request('GET /v1/activity', { key: management().secret });
    equal(status, 200);
    deepEqual(json, {
      data: [
        {
          date: '2026-11-19',
          model: 'sim/echo',
          model_permaslug: 'sim/echo',
          endpoint_id: '11111111-1111-4111-8111-111111111112',
          provider_name: 'simulator',
          requests: 3,
          prompt_tokens: 1_200,
          completion_tokens: 85,
          reasoning_tokens: 20,
          usage: 0.0012345,
          byok_usage_inference: 0.000000007,
        },
      ],
    });
  });

  test('is of the last 30 days that are over, all of them', async () => {
    const { request, ledger, management } = await gatewayWorld();
    const days = ['2026-11-20', '2026-11-19', '2026-11-05', '2026-10-21', '2026-10-20'];
    for (const day of days) ledger.usage.used({ accountId, day });
    const { json } = await request('GET /v1/activity', { key: management().secret });
    deepEqual(
      rowsOf(json).map(({ date }) => date),
      ['2026-11-19', '2026-11-05', '2026-10-21'],
    );
  });

  test('is of one day when it is asked for one', async () => {
    const { request, ledger, management } = await gatewayWorld();
    const key = management().secret;
    for (const day of ['2026-11-19', '2026-10-21']) ledger.usage.used({ accountId, day });
    const { json } = await request('GET /v1/activity?date=2026-10-21', { key });
    deepEqual(
      rowsOf(json).map(({ date }) => date),
      ['2026-10-21'],
    );
  });

  test('refuses today, what is too long ago and what is no day', async () => {
    const { request, management, clock } = await gatewayWorld();
    const key = management().secret;
    for (const date of ['2026-11-20', '2026-11-21', '2026-10-20', '2026-11-31', '2026-13-01'])
      equal((await request(`GET /v1/activity?date=${date}`, { key })).status, 400, date);
    for (const date of ['', 'today', '2026-11-9', '2026-11-19T00:00:00Z', '0000-00-00'])
      equal((await request(`GET /v1/activity?date=${date}`, { key })).status, 400, date);
    clock.advance(12 * 3_600_000);
    equal((await request('GET /v1/activity?date=2026-11-20', { key })).status, 200);
  });

  test.each([
    'user_id=',
    'api_key_hash=abc',
    'workspace_id=1',
    'group_by=model',
    'limit=5',
    'app=',
    'app=a%00b',
  ])('refuses %s', async (query) => {
    const { request, management } = await gatewayWorld();
    const key = management().secret;
    equal((await request(`GET /v1/activity?${query}`, { key })).status, 400);
  });

  test('is of one key, user or workspace, and split by workspace, when it is asked so', async () => {
    const { request, ledger, management, regular } = await gatewayWorld();
    const key = management().secret;
    const { hash } = regular().key;
    ledger.usage.used({ accountId, keyHash: hash, userId: ownerUserId, workspaceId, requests: 1n });
    ledger.usage.used({ accountId, keyHash: 'other', workspaceId: otherWorkspaceId, requests: 2n });
    const requests = async (query: string) =>
      rowsOf((await request(`GET /v1/activity?${query}`, { key })).json).map(
        (row) => row['requests'],
      );
    deepEqual(await requests(`api_key_hash=${hash}`), [1]);
    deepEqual(await requests(`user_id=${ownerUserId}`), [1]);
    deepEqual(await requests('user_id=user_9'), []);
    deepEqual(await requests(`workspace_id=${otherWorkspaceId}`), [2]);
    const { json } = await request('GET /v1/activity?group_by=workspace', { key });
    deepEqual(
      rowsOf(json).map((row) => row['workspace_id']),
      [workspaceId, otherWorkspaceId],
    );
  });

  test("is 404 for a key or a workspace that is not the account's, and empty for an unused one", async () => {
    const { request, ledger, management, regular, keys } = await gatewayWorld();
    const key = management().secret;
    const foreign = keys.add({ accountId: personalId }).key.hash;
    ledger.usage.used({ accountId: personalId, keyHash: foreign, workspaceId: otherWorkspaceId });
    const ask = (query: string) => request(`GET /v1/activity?${query}`, { key });
    equal((await ask(`api_key_hash=${foreign}`)).status, 404);
    equal((await ask(`api_key_hash=${'0'.repeat(64)}`)).status, 404);
    equal((await ask(`workspace_id=${otherWorkspaceId}`)).status, 404);
    const made = await request('POST /v1/workspaces', { key, body: { name: 'New', slug: 'new' } });
    const unused = (made.json['data'] as Row)['id'];
    for (const query of [`api_key_hash=${regular().key.hash}`, `workspace_id=${String(unused)}`])
      deepEqual((await ask(query)).json, { data: [] });
    const theirs = keys.add({ accountId: personalId, kind: KeyKind.KEY_KIND_MANAGEMENT }).secret;
    const foreignQuestion = `GET /v1/activity?workspace_id=${String(unused)}`;
    equal((await request(foreignQuestion, { key: theirs })).status, 404);
  });

  test('is of one application, and split by application, when it is asked so', async () => {
    const { request, ledger, management } = await gatewayWorld();
    const key = management().secret;
    ledger.usage.used({ accountId, app: 'Codex', requests: 1n });
    ledger.usage.used({ accountId, requests: 2n });
    const ask = async (query: string) =>
      rowsOf((await request(`GET /v1/activity?${query}`, { key })).json);
    const codex = await ask('app=Codex');
    deepEqual([codex.length, codex[0]?.['requests'], codex[0]?.['app']], [1, 1, undefined]);
    deepEqual(
      (await ask('group_by=app')).map(({ app, requests }) => [app, requests]),
      [
        ['Codex', 1],
        [null, 2],
      ],
    );
  });

  test('of a deleted key is still shown', async () => {
    const { request, ledger, management, regular } = await gatewayWorld();
    const key = management().secret;
    const { hash } = regular().key;
    ledger.usage.used({ accountId, keyHash: hash });
    await request(`DELETE /v1/keys/${hash}`, { key });
    equal(rowsOf((await request(`GET /v1/activity?api_key_hash=${hash}`, { key })).json).length, 1);
  });

  test('knows no users of a personal account', async () => {
    const { request, keys } = await gatewayWorld();
    const { secret } = keys.add({
      accountId: personalId,
      kind: KeyKind.KEY_KIND_MANAGEMENT,
    });
    equal((await request(`GET /v1/activity?user_id=${personalId}`, { key: secret })).status, 400);
  });

  test('gives usage from before endpoints had ids the same id each time', async () => {
    const { request, ledger, management } = await gatewayWorld();
    ledger.usage.used({ accountId, endpointId: '' });
    const key = management().secret;
    const [first, second] = [
      rowsOf((await request('GET /v1/activity', { key })).json)[0]?.['endpoint_id'],
      rowsOf((await request('GET /v1/activity', { key })).json)[0]?.['endpoint_id'],
    ];
    match(String(first), /^[0-9a-f]{8}-[0-9a-f]{4}-5/);
    equal(first, second);
  });

  test('is refused to a regular key', async () => {
    const { request, regular } = await gatewayWorld();
    equal((await request('GET /v1/activity', { key: regular().secret })).status, 403);
  });
});
