import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkedFetch } from '@sluice/testing/response-stream';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { eventually, type Json, json, list, manage, raw, text } from './http.ts';
import { type Instance, startInstance } from './instance.ts';

const catalog = `
providers:
  - { slug: away, name: Not there, dialect: openai-chat, base_url: 'http://127.0.0.1:1/v1' }
  - { slug: theirs, name: Theirs, dialect: openai-chat, base_url: 'http://127.0.0.1:1/v1', byok_only: true }
models:
  - { id: mine/cheap, name: Cheap, created: 1700000000, context_length: 8192, provider: away, upstream_model: a,
      pricing: { prompt: '0.0000001', completion: '0.0000002' } }
  - { id: mine/dear, name: Dear, created: 1760000000, context_length: 200000, provider: away, upstream_model: a,
      reasoning: { supported_efforts: [low, high], default_effort: low },
      pricing: { prompt: '0.00001', completion: '0.00002', discount: 0.1, overrides: [{ min_prompt_tokens: 100000, prompt: '0.00003' }] } }
  - { id: mine/hidden, hidden: true, provider: away, upstream_model: a, pricing: { prompt: '0', completion: '0' } }
  - { id: theirs/own, provider: theirs, upstream_model: a, pricing: { prompt: '0', completion: '0' } }
`;

let directory: string;
let sluice: Instance;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-models-'));
  const file = join(directory, 'catalog.yaml');
  await writeFile(file, catalog);
  sluice = await startInstance({ SLUICE_CATALOG: file, SLUICE_SIMULATOR: 'on' });
});
afterAll(async () => {
  await sluice?.dispose();
  await rm(directory, { recursive: true, force: true });
});

const simulated = [
  'sim/echo',
  'sim/chat',
  'sim/messages',
  'sim/gemini',
  'sim/agent',
  'sim/reasoning',
];
const ofVectors = ['sim/embedding', 'sim/gemini-embedding'];
const ofRanks = ['sim/rerank', 'sim/cohere-rerank'];
const routers = [
  'service/auto',
  'service/auto-beta',
  'service/bodybuilder',
  'service/free',
  'service/fusion',
  'service/jev-router',
  'service/pareto-code',
  'service/switchyard',
];
const everybodys = [...simulated, 'mine/cheap', 'mine/dear', 'theirs/own', ...routers];

async function idsOf(path: string, key: string | null = null): Promise<readonly string[]> {
  const { status, body } = await json(sluice, path, { key });
  equal(status, 200, JSON.stringify(body));
  return list(body['data']).map(({ id }) => text(id));
}

const keyWith = async (guardrail: object): Promise<string> => {
  const key = await manage(sluice, '/keys', { body: { name: 'guarded' } });
  const made = await manage(sluice, '/guardrails', { body: { name: 'g', ...guardrail } });
  equal(made.status, 201, JSON.stringify(made.body));
  const path = `/guardrails/${text(made.body['data']?.['id'])}/assignments/keys`;
  const body = { key_hashes: [text(key.body['data']?.['hash'])] };
  equal((await manage(sluice, path, { body })).status, 200);
  return text(key.body['key']);
};

describe('the list of models', () => {
  test('shows what is asked for, in the order asked for, without a key', async () => {
    deepEqual((await idsOf('/models')).toSorted(), everybodys.toSorted());
    deepEqual(await idsOf('/models?q=mine%2F'), ['mine/cheap', 'mine/dear']);
    deepEqual(await idsOf('/models?q=mine&sort=newest'), ['mine/dear', 'mine/cheap']);
    deepEqual(await idsOf('/models?model_authors=mine&context=8193'), ['mine/dear']);
    deepEqual(await idsOf('/models?providers=away&max_price=0.1'), ['mine/cheap']);
    // A tenth of 20 USD is not charged.
    deepEqual(await idsOf('/models?providers=away&min_output_price=18'), ['mine/dear']);
    deepEqual(await idsOf('/models?providers=away&min_output_price=19'), []);
    deepEqual(await idsOf('/models?q=mine&max_age_days=100'), []);
    deepEqual(await idsOf('/models?output_modalities=embeddings'), ofVectors);
    deepEqual(await idsOf('/models?output_modalities=rerank'), ofRanks);
  });

  test('is the same in pages', async () => {
    const all = await idsOf('/models?sort=context-high-to-low');
    const paged: string[] = [];
    for (let offset = 0; offset < all.length; offset += 3)
      paged.push(...(await idsOf(`/models?sort=context-high-to-low&offset=${offset}&limit=3`)));
    deepEqual(paged, all);
    const { body } = await json(sluice, '/models/count', { key: null });
    equal(body['data']?.['count'], all.length);
  });

  test('refuses values that it does not understand, with their path', async () => {
    for (const [name, value] of [
      ['sort', 'best'],
      ['limit', '0'],
      ['min_price', 'cheap'],
    ] as const) {
      const { status, body } = await json(sluice, `/models?${name}=${value}`, { key: null });
      equal(status, 400);
      equal(body['error']?.['metadata']?.['issues']?.[0]?.['path'], name);
    }
    equal((await json(sluice, '/models?color=red', { key: null })).status, 200, 'an unknown name');
    equal((await json(sluice, '/models', { key: 'sk-sluice-v1-wrong' })).status, 401);
  });

  test('is told once to whoever keeps it, and as a feed to whoever wants one', async () => {
    const first = await raw(sluice, '/models', { key: null });
    const etag = first.headers.get('etag') ?? '';
    match(etag, /^"[\w-]+"$/);
    await first.arrayBuffer();
    const again = await raw(sluice, '/models', { key: null, headers: { 'if-none-match': etag } });
    deepEqual([again.status, await again.text()], [304, '']);
    const feed = await raw(sluice, '/models?use_rss=true', { key: null });
    match(feed.headers.get('content-type') ?? '', /^application\/rss\+xml/);
    match(await feed.text(), /<guid isPermaLink="false">mine\/cheap<\/guid>/);
  });
});

test('a router is listed with prices that vary, and read by its slug', async () => {
  const { body } = await json(sluice, '/model/service/pareto-code', { key: null });
  deepEqual(body['data']?.['pricing'], { prompt: '-1', completion: '-1' });
  equal((await json(sluice, '/models/service/pareto-code/endpoints', { key: null })).status, 200);
});

describe('a model', () => {
  test('is read by its slug, with a variant that only chooses among its endpoints', async () => {
    for (const slug of ['mine/cheap', 'mine/cheap:nitro', '~mine/cheap-latest']) {
      const { status, body } = await json(sluice, `/model/${slug}`, { key: null });
      equal(status, 200, slug);
      equal(body['data']?.['name'], 'Cheap');
    }
    for (const slug of ['mine/hidden', 'mine/none', 'sim/anything', 'mine/cheap:unheard'])
      for (const path of [`/model/${slug}`, `/models/${slug}/endpoints`])
        equal((await json(sluice, path, { key: null })).status, 404, path);
  });

  test('says what it costs on which conditions, and how it can be told to think', async () => {
    const { body } = await json(sluice, '/model/mine/dear', { key: null });
    deepEqual(body['data']?.['pricing'], {
      prompt: '0.00001',
      completion: '0.00002',
      discount: 0.1,
      overrides: [{ min_prompt_tokens: 100_000, prompt: '0.00003' }],
    });
    deepEqual(body['data']?.['reasoning'], {
      mandatory: false,
      supported_efforts: ['high', 'low'],
      default_effort: 'low',
      default_enabled: true,
      supports_max_tokens: false,
    });
  });

  test('has endpoints whose measured values are for keys', async () => {
    const body = { model: 'sim/chat', input: 'hello', stream: true };
    await (await raw(sluice, '/responses', { body })).text();
    const endpointOf = async (key: string | null | undefined) => {
      const call = key === undefined ? {} : { key };
      const answer = await json(sluice, '/models/sim/chat/endpoints', call);
      const [endpoint, ...others] = list(answer.body['data']?.['endpoints']);
      equal(others.length, 0);
      return endpoint;
    };
    const told = await eventually(
      () => endpointOf(undefined),
      (endpoint) => Boolean(endpoint?.['latency_last_30m']),
    );
    equal(Number(told?.['uptime_last_5m']), 100);
    ok(Number(told?.['latency_last_30m']?.['p50']) >= 0);
    const untold = await endpointOf(null);
    for (const name of ['latency_last_30m', 'throughput_last_30m', 'uptime_last_5m'])
      equal(untold?.[name], null);
    deepEqual([untold?.['tag'], untold?.['provider_name']], ['simulator', 'Simulator']);
  });

  test('is served by somebody', async () => {
    const { body } = await json(sluice, '/providers', { key: null });
    const named = list(body['data']).map(({ slug, name }) => `${text(slug)} ${text(name)}`);
    ok(named.includes('away Not there'), named.join());
    deepEqual(await idsOf('/embeddings/models'), ofVectors);
    const { body: kept } = await json(sluice, '/endpoints/zdr', { key: null });
    for (const endpoint of list(kept['data'])) ok(!text(endpoint['model_id']).startsWith('mine/'));
  });
});

describe('what a key can be used for', () => {
  test('follows from its guardrails and the credentials of its account', async () => {
    const usable = everybodys.filter((id) => id !== 'theirs/own');
    deepEqual(
      (await idsOf('/models/user', sluice.bootstrap.api_key)).toSorted(),
      usable.toSorted(),
    );
    const key = await keyWith({ allowed_models: ['mine/cheap', 'sim/echo', 'theirs/own'] });
    deepEqual(await idsOf('/models/user', key), ['sim/echo', 'mine/cheap', ...routers]);
    deepEqual(await idsOf('/models/user?offset=1&limit=1', key), ['mine/cheap']);
    equal((await json(sluice, '/models/user', { key: null })).status, 401);
    equal((await manage(sluice, '/models/user')).status, 403);
  });

  test('may be one of the providers that the catalog file alone names', async () => {
    const key = await keyWith({ allowed_providers: ['away'] });
    deepEqual(await idsOf('/models/user', key), ['mine/cheap', 'mine/dear', ...routers]);
    const unknown = { body: { name: 'g', allowed_providers: ['away', 'nobodys'] } };
    const { status, body } = await manage(sluice, '/guardrails', unknown);
    equal(status, 400);
    match(text(body['error']?.['message']), /allowed_providers.*nobodys/);
  });

  test('is all that an organization shows its keys, where it wants it so', async () => {
    const key = await keyWith({ ignored_models: [...simulated] });
    const filter = async (is_filtered_model_catalog_enabled: boolean) => {
      const body = { is_filtered_model_catalog_enabled };
      const changed = await manage(sluice, '/organization/settings', { method: 'PATCH', body });
      equal(changed.status, 200);
    };
    deepEqual((await idsOf('/models', key)).length, everybodys.length);
    await filter(true);
    await eventually(
      () => idsOf('/models', key),
      (ids) => ids.length === 2 + routers.length,
    );
    deepEqual(await idsOf('/models', key), await idsOf('/models/user', key));
    const newest = ['mine/dear', 'mine/cheap', ...routers];
    deepEqual(await idsOf('/models?sort=newest', key), newest);
    equal((await idsOf('/models')).length, everybodys.length);
    await filter(false);
    await eventually(
      () => idsOf('/models', key),
      (ids) => ids.length === everybodys.length,
    );
  });
});

test('the SDK of OpenAI lists them, with a filter as well', async () => {
  const { base_url: baseURL, api_key: apiKey } = sluice.bootstrap;
  const client = new OpenAI({ baseURL, apiKey, fetch: checkedFetch, maxRetries: 0 });
  const ids: string[] = [];
  for await (const { id } of client.models.list({ query: { q: 'mine' } })) ids.push(id);
  deepEqual(ids, ['mine/cheap', 'mine/dear']);
});

test('the content of a generation is not stored unless its workspace wants it', async () => {
  const answer = await json(sluice, '/responses', { body: { model: 'sim/echo', input: 'x' } });
  const id = answer.headers.get('x-generation-id') ?? '';
  const { status, body }: { status: number; body: Json } = await json(
    sluice,
    `/generation/content?id=${id}`,
  );
  deepEqual([status, body['error']?.['message']], [404, 'No content of this generation is stored']);
});
