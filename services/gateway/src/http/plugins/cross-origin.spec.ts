import { deepEqual, equal, match } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { loadGatewaySettings } from '../../config.ts';
import { gatewayWorld } from '../../testing/gateway-world.ts';

const origin = 'https://chat.example.org';
const asks = {
  origin,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,content-type,x-stainless-os',
};
const worldWith = async (...corsOrigins: string[]) => gatewayWorld({ settings: { corsOrigins } });
const body = { model: 'sim/echo', input: 'hello' };

describe('a page of an allowed origin', () => {
  test('may ask before it has a key, and gets a list of what it may send', async () => {
    const { request } = await worldWith('http://localhost:3000', origin);
    const { status, headers, text } = await request('OPTIONS /v1/responses', { headers: asks });
    deepEqual([status, text], [204, '']);
    equal(headers['access-control-allow-origin'], origin);
    equal(headers['access-control-allow-headers'], asks['access-control-request-headers']);
    equal(headers['access-control-allow-methods'], 'GET, HEAD, POST');
    equal(headers['access-control-allow-credentials'], undefined);
    match(String(headers['vary']), /origin/i);
  });

  test('reads whole answers, lists and errors', async () => {
    const { request, regular } = await worldWith(origin);
    const key = regular().secret;
    for (const [line, given, status] of [
      ['POST /v1/responses', { key, body }, 200],
      ['POST /v1/responses', { body }, 401],
      ['POST /v1/responses', { key: 'sk-wrong', body }, 401],
      ['GET /v1/models', {}, 200],
      ['GET /v1/models/sim%2Fecho', {}, 200],
      ['GET /v1/models/sim/echo/endpoints', { key }, 200],
    ] as const) {
      const answer = await request(line, { ...given, headers: { origin } });
      equal(answer.status, status, line);
      equal(answer.headers['access-control-allow-origin'], origin, line);
      match(
        String(answer.headers['access-control-expose-headers']),
        /x-request-id, ?request-id, ?x-generation-id/,
      );
      match(String(answer.headers['vary']), /origin/i);
    }
    const list = await request('GET /v1/models', { headers: { origin } });
    match(String(list.headers['vary']), /authorization/i);
  });

  test('reads no answer of the management plane, and may not ask to', async () => {
    const { request, management } = await worldWith(origin);
    const key = management().secret;
    for (const line of ['GET /v1/keys', 'OPTIONS /v1/keys', 'GET /v1/credits']) {
      const { headers } = await request(line, { key, headers: asks });
      equal(headers['access-control-allow-origin'], undefined, line);
    }
  });
});

describe('a page of another origin', () => {
  test.each(['https://evil.example.org', `${origin}.evil.org`, 'null', 'http://chat.example.org'])(
    '(%s) reads nothing',
    async (other) => {
      const { request } = await worldWith(origin);
      for (const line of ['OPTIONS /v1/responses', 'GET /v1/models']) {
        const { headers } = await request(line, { headers: { ...asks, origin: other } });
        equal(headers['access-control-allow-origin'], undefined, line);
      }
    },
  );

  test('reads what every page may where that is configured', async () => {
    const { request } = await worldWith('*');
    const { headers } = await request('GET /v1/models', { headers: { origin: 'https://any.org' } });
    equal(headers['access-control-allow-origin'], '*');
  });
});

test('no page of another origin reads anything where nothing is configured', async () => {
  const { request } = await gatewayWorld();
  const preflight = await request('OPTIONS /v1/responses', { headers: asks });
  equal(preflight.status, 404);
  for (const { headers } of [preflight, await request('GET /v1/models', { headers: { origin } })])
    equal(headers['access-control-allow-origin'], undefined);
});

describe('SLUICE_CORS_ORIGINS', () => {
  const originsOf = (text: string) =>
    loadGatewaySettings({ SLUICE_CORS_ORIGINS: text }).corsOrigins;

  test.each([
    ['', []],
    ['*', ['*']],
    [origin, [origin]],
    [`${origin}, http://localhost:3000`, [origin, 'http://localhost:3000']],
    ['chrome-extension://abc', ['chrome-extension://abc']],
  ])('reads %j', (text, origins) => {
    deepEqual(originsOf(text), origins);
  });

  test.each(['chat.example.org', `${origin}/`, `${origin}/path`, `${origin} `, 'null', ','])(
    'refuses %j',
    (text) => {
      let problem = '';
      try {
        originsOf(text);
      } catch (error) {
        problem = String(error);
      }
      match(problem, /SLUICE_CORS_ORIGINS/);
    },
  );
});
