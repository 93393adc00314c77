import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { Fault } from '@sluice/errors';
import { describe, test } from 'vitest';
import { gatewayWorld, personalId, workspaceId } from '../../testing/gateway-world.ts';

const path = '/v1/observability/destinations';
const secret = 'a-signing-secret-of-the-webhook';
const config = { url: 'https://hooks.example.com/traces', signingSecret: secret };
const body = { type: 'webhook', name: 'Traces', config };
const unknownId = '33333333-3333-4333-8333-333333333333';

async function destinationWorld(options: Parameters<typeof gatewayWorld>[0] = {}) {
  const world = await gatewayWorld(options);
  const { secret: key } = world.management();
  const ask = (line: string, sent?: object, headers: Readonly<Record<string, string>> = {}) =>
    world.request(line, { key, headers, ...(sent === undefined ? {} : { body: sent }) });
  const create = async (more: object = {}) => {
    const reply = await ask(`POST ${path}`, { ...body, ...more });
    return { reply, data: reply.json['data'] as Record<string, unknown> & { id: string } };
  };
  return { ...world, ask, create };
}

const pathsOf = (json: Record<string, unknown>) =>
  (json['error'] as { metadata: { issues?: { path: string }[] } }).metadata.issues?.map(
    (issue) => issue.path,
  );

const rule = { field: 'model', operator: 'equals', value: 'sim/echo' };
const wrong: readonly (readonly [string, object, string])[] = [
  ['another name for a field', { url: 'x' }, 'url'],
  ['a type that there is not', { type: 'kafka' }, 'type'],
  ['a name that is too long', { name: 'n'.repeat(201) }, 'name'],
  ['a name with a zero byte', { name: 'a\u0000b' }, 'name'],
  ['a config that is none', { config: [] }, 'config'],
  ['a text for a boolean', { enabled: 'yes' }, 'enabled'],
  ['a rate of 0', { sampling_rate: 0 }, 'sampling_rate'],
  ['a rate above 1', { sampling_rate: 1.5 }, 'sampling_rate'],
  ['an empty list of keys', { api_key_hashes: [] }, 'api_key_hashes'],
  ['a hash that is none', { api_key_hashes: ['x'] }, 'api_key_hashes.0'],
  ['no region', { regions: [] }, 'regions'],
  ['a region that there is not', { regions: ['asia'] }, 'regions.0'],
  ['rules without groups', { filter_rules: {} }, 'filter_rules.groups'],
  ['its own id', { id: unknownId }, 'id'],
];

describe('POST /v1/observability/destinations', () => {
  test('creates a destination with defaults, and masks its secrets', async () => {
    const { create } = await destinationWorld();
    const { reply, data } = await create();
    equal(reply.status, 201);
    const { id, created_at, updated_at, ...rest } = data;
    for (const text of [id, created_at, updated_at]) equal(typeof text, 'string');
    deepEqual(rest, {
      type: 'webhook',
      name: 'Traces',
      workspace_id: workspaceId,
      enabled: true,
      config: { ...config, signingSecret: 'a-s...hook' },
      privacy_mode: false,
      sampling_rate: 1,
      api_key_hashes: null,
      filter_rules: null,
      broadcast_generation_cost: false,
      broadcast_generation_identity: false,
      broadcast_generation_request_context: false,
      regions: ['global'],
    });
    ok(!reply.text.includes(secret));
  });

  test('takes every setting', async () => {
    const { create } = await destinationWorld();
    const settings = {
      name: null,
      enabled: false,
      privacy_mode: true,
      sampling_rate: 0.0001,
      api_key_hashes: ['ab'.repeat(32)],
      filter_rules: { enabled: true, groups: [{ logic: 'or', rules: [rule] }] },
      broadcast_generation_cost: true,
      broadcast_generation_identity: true,
      broadcast_generation_request_context: true,
    };
    const { data } = await create({ ...settings, regions: ['eu', 'us'] });
    deepEqual({ ...data, ...settings, regions: ['europe', 'us'] }, data);
  });

  test('is one command however often it is sent with the same Idempotency-Key', async () => {
    const { ask } = await destinationWorld();
    const headers = { 'idempotency-key': 'once' };
    const [first, again] = [
      await ask(`POST ${path}`, body, headers),
      await ask(`POST ${path}`, body, headers),
    ];
    deepEqual(again.json['data'], first.json['data']);
  });

  test.each(wrong)('refuses %s', async (_title, more, at) => {
    const { create } = await destinationWorld();
    const { reply } = await create(more);
    equal(reply.status, 400);
    deepEqual(pathsOf(reply.json), [at]);
  });

  test.each(['type', 'name', 'config'])('needs %s', async (field) => {
    const { ask } = await destinationWorld();
    const { [field as 'type']: _left, ...rest } = body;
    const reply = await ask(`POST ${path}`, rest);
    deepEqual([reply.status, pathsOf(reply.json)], [400, [field]]);
  });
});

describe('a destination', () => {
  test('is listed, read, changed and deleted', async () => {
    const { ask, create } = await destinationWorld();
    const { data } = await create();
    const at = `${path}/${data.id.toUpperCase()}`;
    deepEqual((await ask(`GET ${at}`)).json['data'], data);
    deepEqual((await ask(`GET ${path}`)).json, { data: [data], total_count: 1 });
    const masked = data['config'] as typeof config;
    const changed = await ask(`PATCH ${at}`, {
      config: { ...masked, url: 'https://b.example.com/' },
      name: null,
      regions: ['eu'],
    });
    equal(changed.status, 200);
    const shown = changed.json['data'] as Record<string, unknown>;
    deepEqual([shown['name'], shown['regions']], [null, ['europe']]);
    deepEqual(shown['config'], { ...masked, method: 'POST', url: 'https://b.example.com/' });
    equal((await ask(`PATCH ${at}`, {})).status, 200);
    for (const [more, issue] of [
      [{ type: 's3' }, 'type'],
      [{ workspace_id: workspaceId }, 'workspace_id'],
    ] as const) {
      const refused = await ask(`PATCH ${at}`, more);
      deepEqual([refused.status, pathsOf(refused.json)], [400, [issue]]);
    }
    deepEqual((await ask(`DELETE ${at}`)).json, { deleted: true });
    equal((await ask(`GET ${at}`)).status, 404);
  });

  test('that there is not answers 404, and a malformed id 400 where the route has it', async () => {
    const { ask } = await destinationWorld();
    const lines = [
      ['GET', '', 404],
      ['DELETE', '', 404],
      ['PATCH', '', 400],
      ['POST', '/test', 400],
      ['GET', '/status', 400],
      ['GET', '/dead-letters', 400],
      ['POST', '/replay', 400],
    ] as const;
    for (const [method, rest, malformed] of lines) {
      const sent = method === 'PATCH' || rest === '/replay' ? {} : undefined;
      equal((await ask(`${method} ${path}/${unknownId}${rest}`, sent)).status, 404);
      equal((await ask(`${method} ${path}/x${rest}`, sent)).status, malformed);
    }
  });

  test('of another account is not found', async () => {
    const { create, management, request } = await destinationWorld();
    const { data } = await create();
    const { secret: key } = management({ accountId: personalId });
    for (const line of ['GET', 'DELETE']) {
      equal((await request(`${line} ${path}/${data.id}`, { key })).status, 404);
    }
    equal((await request(`PATCH ${path}/${data.id}`, { key, body: {} })).status, 404);
    equal((await request(`POST ${path}/${data.id}/test`, { key })).status, 404);
  });

  test('is for management keys', async () => {
    const { regular, request } = await destinationWorld();
    const { secret: key } = regular();
    equal((await request(`GET ${path}`, { key })).status, 403);
    equal((await request(`POST ${path}`, { key, body })).status, 403);
  });
});

describe('the delivery to a destination', () => {
  const observer = {
    testDestination: async () => ({
      outcome: 'refused',
      httpStatus: 401,
      problem: 'the receiver answered 401',
      tookMs: 12n,
    }),
    getDestinationStatus: async () => ({
      state: 'waiting',
      lagMs: 1_500n,
      backlog: 3n,
      delivered: 10n,
      deadLetters: 1n,
      lost: 0n,
      lastLostAt: undefined,
      attempts: 2,
      nextAttemptAt: '2026-01-02T03:04:05.000Z',
      lastDeliveredAt: undefined,
      lastError: 'the receiver answered 503',
      lastErrorAt: '2026-01-02T03:04:05.000Z',
      failingSince: '2026-01-02T03:04:05.000Z',
      isFlagged: false,
    }),
    listDeadLetters: async () => ({
      deadLetters: [
        {
          deadLetterId: unknownId,
          generationId: 'gen-1',
          problem: 'the receiver answered 400',
          httpStatus: 400,
          attempts: 5,
          failedAt: '2026-01-02T03:04:05.000Z',
          isReplaying: false,
        },
      ],
      totalCount: 1n,
    }),
    replayDeadLetters: async ({ deadLetterIds }: { deadLetterIds: readonly string[] }) => ({
      count: BigInt(deadLetterIds.length),
    }),
    getContents: () => Promise.reject(new Fault('not_found')),
  };

  test('is tested, looked at and replayed', async () => {
    const { ask, create } = await destinationWorld({ observer });
    const { data } = await create();
    const at = `${path}/${data.id}`;
    deepEqual((await ask(`POST ${at}/test`)).json, {
      data: {
        outcome: 'refused',
        http_status: 401,
        problem: 'the receiver answered 401',
        took_ms: 12,
      },
    });
    const status = (await ask(`GET ${at}/status`)).json['data'] as Record<string, unknown>;
    deepEqual(
      [status['state'], status['lag_ms'], status['last_delivered_at'], status['last_error']],
      ['waiting', 1_500, null, 'the receiver answered 503'],
    );
    const letters = (await ask(`GET ${at}/dead-letters?limit=1`)).json;
    equal(letters['total_count'], 1);
    deepEqual((await ask(`POST ${at}/replay`, { ids: [unknownId] })).json, { data: { count: 1 } });
    equal((await ask(`POST ${at}/replay`, { ids: [] })).status, 400);
    equal((await ask(`POST ${at}/replay`, { ids: ['x'] })).status, 400);
  });

  test('is not tested while its workspace does not broadcast', async () => {
    const silent = { testDestination: () => Promise.reject(new Fault('not_found')) };
    const { ask, create } = await destinationWorld({ observer: { ...observer, ...silent } });
    const { data } = await create();
    const refused = await ask(`POST ${path}/${data.id}/test`);
    equal(refused.status, 409);
    match(JSON.stringify(refused.json), /does not broadcast/);
  });

  test('is not tested while it is disabled, and not known without an observer', async () => {
    const { ask, create } = await destinationWorld({ observer });
    const { data } = await create({ enabled: false });
    equal((await ask(`POST ${path}/${data.id}/test`)).status, 409);
    const without = await destinationWorld();
    const made = await without.create();
    equal((await without.ask(`GET ${path}/${made.data.id}/status`)).status, 503);
  });
});
