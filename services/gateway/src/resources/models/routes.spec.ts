import { deepEqual, equal, match } from 'node:assert/strict';
import { describe, test } from 'vitest';
import {
  gatewayWorld,
  jsonReply,
  organizationId,
  personalId,
} from '../../testing/gateway-world.ts';

const settingsLine = 'PATCH /v1/organization/settings';

describe('GET /v1/models', () => {
  test('shows the catalog to everybody, and to keys of both kinds', async () => {
    const { request, questions, regular, management } = await gatewayWorld();
    for (const key of [undefined, regular().secret, management().secret]) {
      const { status, json, headers } = await request('GET /v1/models', { key });
      equal(status, 200);
      deepEqual(json, { data: [{ id: 'sim/echo' }] });
      equal(headers['content-type'], 'application/json');
    }
    deepEqual(
      questions.map(({ view, reportsMeasured }) => [view, reportsMeasured]),
      [
        ['models', false],
        ['models', true],
        ['models', true],
      ],
    );
  });

  test('is refused to a key that is none', async () => {
    const { request } = await gatewayWorld();
    equal((await request('GET /v1/models', { key: 'sk-wrong' })).status, 401);
  });

  test('hands on each choice of the contract as it came', async () => {
    const { request, questions } = await gatewayWorld();
    const parameters = {
      offset: '0',
      limit: '1000',
      q: 'gpt 4',
      category: 'marketing/seo',
      supported_parameters: 'tools,seed',
      input_modalities: 'text,image',
      output_modalities: 'all',
      sort: 'design-arena-elo-high-to-low',
      context: '1',
      min_price: '0',
      max_price: '1e-7',
      min_output_price: '0.5',
      max_output_price: '10',
      arch: 'GPT',
      model_authors: 'openai,google',
      providers: 'openai',
      distillable: 'false',
      zdr: 'true',
      region: 'eu',
      min_age_days: '0',
      max_age_days: '30',
      min_intelligence_index: '1',
      max_intelligence_index: '2',
      min_coding_index: '1',
      max_coding_index: '2.5',
      min_agentic_index: '1',
      max_agentic_index: '2',
      min_tool_success_rate: '0',
      max_tool_success_rate: '1',
      use_rss: 'true',
      use_rss_chat_links: 'true',
    };
    const query = new URLSearchParams(parameters).toString();
    equal((await request(`GET /v1/models?${query}`)).status, 200);
    deepEqual({ ...questions[0]?.parameters }, parameters);
  });

  test.each([
    'offset=-1',
    'limit=0',
    'limit=1001',
    'category=cooking',
    'supported_parameters=tools,wings',
    'input_modalities=smell',
    'input_modalities=video',
    'output_modalities=text,',
    'sort=best',
    'context=0',
    'min_price=-1',
    'max_price=cheap',
    'min_output_price=NaN',
    'max_output_price=Infinity',
    'distillable=yes',
    'zdr=false',
    'region=europe',
    'min_age_days=1.5',
    'min_coding_index=a',
    'max_tool_success_rate=1.1',
    'q=',
  ])('names what is wrong with %s', async (query) => {
    const { request, questions } = await gatewayWorld();
    const { status, json } = await request(`GET /v1/models?${query}`);
    equal(status, 400);
    const { metadata } = json['error'] as { metadata: { issues: { path: string }[] } };
    deepEqual(
      metadata.issues.map(({ path }) => path),
      [query.split('=')[0]],
    );
    equal(questions.length, 0);
  });

  test('that the client has already is not sent again', async () => {
    const { request, regular } = await gatewayWorld();
    const first = await request('GET /v1/models');
    match(String(first.headers['cache-control']), /^public, max-age=\d+$/);
    const known = { 'if-none-match': `"other", W/${String(first.headers['etag'])}` };
    const again = await request('GET /v1/models', { headers: known });
    deepEqual([again.status, again.text], [304, '']);
    equal(again.headers['etag'], first.headers['etag']);
    const other = await request('GET /v1/models', { headers: { 'if-none-match': '"v0"' } });
    equal(other.status, 200);
    const user = await request('GET /v1/models/user', { key: regular().secret });
    equal(user.headers['cache-control'], 'private, no-cache');
  });
});

describe("models in Anthropic's form", () => {
  const version = { 'anthropic-version': '2023-06-01' };

  test.each([
    ['GET /v1/models?limit=2&after_id=sim/echo&beta=true', 'models'],
    ['GET /v1/v1/models/sim%2Fecho', 'retrieved-model'],
    ['GET /v1/models/sim/echo', 'retrieved-model'],
  ])('are asked for with the version of the API: %s', async (line, view) => {
    const { request, questions, regular } = await gatewayWorld();
    const headers = { ...version, 'x-api-key': regular().secret };
    const reply = await request(line, { headers });
    equal(reply.status, 200);
    match(String(reply.headers['vary']), /anthropic-version/);
    const [question] = questions;
    deepEqual(
      [question?.view, question?.format, question?.reportsMeasured],
      [view, 'anthropic', true],
    );
    equal((await request(line)).status, 200);
    equal(questions[1]?.format, undefined);
  });

  test.each([
    ['GET /v1/models?limit=0', 400, 'invalid_request_error'],
    ['GET /v1/no-such', 404, 'not_found_error'],
  ])('are refused in that form: %s', async (line, status, type) => {
    const { request } = await gatewayWorld();
    const reply = await request(line, { headers: version });
    const { error } = reply.json as { readonly error: { readonly type: string } };
    deepEqual([reply.status, reply.json['type'], error.type], [status, 'error', type]);
  });
});

describe('an organization that wants it so', () => {
  test('shows its keys what they can use, within 5 s, and others all', async () => {
    const { request, questions, clock, regular, management } = await gatewayWorld();
    const [key, admin, stranger] = [
      regular().secret,
      management().secret,
      regular({ accountId: personalId }).secret,
    ];
    const viewFor = async (asking: string | undefined) => {
      await request('GET /v1/models?sort=newest', { key: asking });
      return questions.at(-1);
    };
    equal((await viewFor(key))?.view, 'models');
    const body = { is_filtered_model_catalog_enabled: true };
    equal((await request(settingsLine, { key: admin, body })).status, 200);
    clock.advance(5_000);
    const asked = await viewFor(key);
    deepEqual([asked?.view, asked?.parameters['sort']], ['usable-models', 'newest']);
    equal(asked?.principal?.accountId, organizationId);
    const ofAdmin = await viewFor(admin);
    equal(ofAdmin?.view, 'usable-models');
    equal(ofAdmin?.principal?.workspaceId, asked?.principal?.workspaceId);
    for (const other of [undefined, stranger]) equal((await viewFor(other))?.view, 'models');
  });
});

describe('the other lists', () => {
  test.each([
    ['/v1/models/count?output_modalities=all', 'models-count', { output_modalities: 'all' }],
    ['/v1/model/sim/echo:free', 'model', { author: 'sim', slug: 'echo:free' }],
    ['/v1/model/~sim/echo-latest', 'model', { author: '~sim', slug: 'echo-latest' }],
    ['/v1/models/sim/echo', 'retrieved-model', { author: 'sim', slug: 'echo' }],
    ['/v1/models/sim%2Fecho', 'retrieved-model', { model: 'sim/echo' }],
    ['/v1/models/sim%2Fecho%3Afree', 'retrieved-model', { model: 'sim/echo:free' }],
    ['/v1/models/sim/echo/endpoints', 'endpoints', { author: 'sim', slug: 'echo' }],
    ['/v1/models/user/count/endpoints', 'endpoints', { author: 'user', slug: 'count' }],
    ['/v1/embeddings/models?limit=3', 'embedding-models', { limit: '3' }],
    ['/v1/endpoints/zdr', 'zero-retention-endpoints', {}],
    ['/v1/providers', 'providers', {}],
  ])('%s asks routing for its part', async (path, view, parameters) => {
    const { request, questions, regular } = await gatewayWorld();
    equal((await request(`GET ${path}`)).status, 200);
    equal((await request(`GET ${path}`, { key: regular().secret })).status, 200);
    deepEqual(
      questions.map((question) => [question.view, { ...question.parameters }]),
      [
        [view, parameters],
        [view, parameters],
      ],
    );
  });

  test.each([
    ['/v1/models', { limit: '3', color: 'red', author: 'sim' }, { limit: '3' }],
    ['/v1/models/user', { q: 'x', offset: '1' }, { offset: '1' }],
    ['/v1/models/count', { output_modalities: 'all', q: 'x' }, { output_modalities: 'all' }],
    ['/v1/embeddings/models', { limit: '3', '': '' }, { limit: '3' }],
    ['/v1/endpoints/zdr', { a: 'b' }, {}],
    ['/v1/providers', { a: 'b' }, {}],
    ['/v1/model/sim/echo', { slug: 'chat', model: 'a/b' }, { author: 'sim', slug: 'echo' }],
    ['/v1/models/sim%2Fecho', { slug: 'chat' }, { model: 'sim/echo' }],
    ['/v1/models/sim/echo/endpoints', { model: 'a/b' }, { author: 'sim', slug: 'echo' }],
  ])('%s ignores query fields that it does not know', async (path, given, asked) => {
    const { request, questions, regular } = await gatewayWorld();
    const query = new URLSearchParams(given as Record<string, string>).toString();
    const { status } = await request(`GET ${path}?${query}`, { key: regular().secret });
    equal(status, 200);
    deepEqual(
      questions.map(({ parameters }) => ({ ...parameters })),
      [asked],
    );
  });

  test('that a key can be used for are for keys that can be used', async () => {
    const { request, questions, regular, management } = await gatewayWorld();
    equal((await request('GET /v1/models/user')).status, 401);
    equal((await request('GET /v1/models/user', { key: management().secret })).status, 403);
    const { key, secret } = regular();
    equal((await request('GET /v1/models/user?limit=x', { key: secret })).status, 400);
    equal((await request('GET /v1/models/user?offset=1', { key: secret })).status, 200);
    equal(questions[0]?.principal?.keyHash, key.hash);
  });

  test('hand on what routing refuses, and are not kept then', async () => {
    const { request } = await gatewayWorld({
      readCatalog: async () => jsonReply(404, { error: { code: 404 } }),
    });
    const { status, headers } = await request('GET /v1/model/no/such');
    deepEqual([status, headers['cache-control']], [404, undefined]);
  });
});
