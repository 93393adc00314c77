import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { gatewayWorld, jsonReply, startedMs } from '../../testing/gateway-world.ts';

describe('requests per minute', () => {
  const settings = {
    inferenceRequestsPerMinute: 3,
    keyRequestsPerMinute: 2,
    managementRequestsPerMinute: 4,
  };

  test.each([
    ['POST /v1/responses', 'regular', 3],
    ['GET /v1/keys', 'management', 2],
    ['GET /v1/credits', 'management', 4],
    ['GET /v1/workspaces', 'management', 4],
  ] as const)('%s allows a %s key %s of them', async (line, kind, allowed) => {
    const world = await gatewayWorld({ settings });
    const key = world[kind]().secret;
    const body = line.startsWith('POST') ? { body: {} } : {};
    for (let count = 0; count < allowed; count++)
      equal((await world.request(line, { key, ...body })).status === 429, false);
    const refused = await world.request(line, { key, ...body });
    equal(refused.status, 429);
    deepEqual(refused.json, {
      error: {
        code: 429,
        message: 'Rate limit exceeded',
        metadata: { error_type: 'rate_limit_exceeded' },
      },
    });
    const { headers } = refused;
    equal(headers['x-ratelimit-limit'], String(allowed));
    equal(headers['x-ratelimit-remaining'], '0');
    equal(headers['x-ratelimit-reset'], String(startedMs + 60_000));
    equal(headers['retry-after'], String(60 / allowed));
    world.clock.advance(60_000 / allowed);
    equal((await world.request(line, { key, ...body })).status === 429, false);
  });

  test('are counted per key', async () => {
    const { request, regular } = await gatewayWorld({
      settings: { inferenceRequestsPerMinute: 1 },
    });
    const [one, other] = [regular().secret, regular().secret];
    equal((await request('POST /v1/responses', { key: one, body: {} })).status, 200);
    equal((await request('POST /v1/responses', { key: one, body: {} })).status, 429);
    equal((await request('POST /v1/responses', { key: other, body: {} })).status, 200);
  });

  test('are counted per account where usage is asked about', async () => {
    const { request, management } = await gatewayWorld({
      settings: { analyticsQueriesPerMinute: 2 },
      analytics: {
        query: async () => ({
          rows: '[]',
          rowCount: 0n,
          truncated: false,
          warnings: [],
          queryTimeMs: 1,
          cachedAtMs: undefined,
        }),
      },
    });
    const keys = [management().secret, management().secret, management().secret];
    const statuses: number[] = [];
    for (const key of keys) {
      const body = { metrics: ['request_count'] };
      statuses.push((await request('POST /v1/analytics/query', { key, body })).status);
    }
    deepEqual(statuses, [200, 200, 429]);
    equal((await request('GET /v1/analytics/meta', { key: keys[2] })).status, 200);
  });

  test('are counted per address where there is no key', async () => {
    const { request } = await gatewayWorld({ settings: { inferenceRequestsPerMinute: 1 } });
    equal((await request('GET /v1/models', { address: '192.0.2.1' })).status, 200);
    equal((await request('GET /v1/models', { address: '192.0.2.1' })).status, 429);
    equal((await request('GET /v1/models', { address: '192.0.2.2' })).status, 200);
  });

  test('are looked at after the kind of the key and before the body', async () => {
    const { request, management, regular } = await gatewayWorld({
      settings: { keyRequestsPerMinute: 1 },
    });
    const key = management().secret;
    await request('GET /v1/keys', { key });
    equal((await request('POST /v1/keys', { key, body: 'not json' })).status, 429);
    equal((await request('GET /v1/keys', { key: regular().secret })).status, 403);
  });
});

describe('open inference requests of an account', () => {
  test('are bounded, over all of its keys, until one of them ends', async () => {
    const answers: PromiseWithResolvers<void>[] = [];
    const { request, regular, management } = await gatewayWorld({
      settings: { inferenceOpenMax: 2 },
      async createResponse() {
        const answer = Promise.withResolvers<void>();
        answers.push(answer);
        await answer.promise;
        return jsonReply(200, {});
      },
    });
    const ask = (key: string) => request('POST /v1/responses', { key, body: {} });
    const first = ask(regular().secret);
    const second = ask(regular().secret);
    while (answers.length < 2) await new Promise((resolve) => setImmediate(resolve));
    const refused = await ask(regular().secret);
    equal(refused.status, 429);
    equal(refused.headers['retry-after'], '1');
    equal((await request('GET /v1/credits', { key: management().secret })).status, 200);
    answers[0]?.resolve();
    equal((await first).status, 200);
    const third = ask(regular().secret);
    while (answers.length < 3) await new Promise((resolve) => setImmediate(resolve));
    for (const answer of answers) answer.resolve();
    equal((await second).status, 200);
    equal((await third).status, 200);
  });
});
