import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { Fault } from '@sluice/errors';
import type { CatalogView, InferenceReply } from '@sluice/inference';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { createCatalog, type Model } from '../catalog/catalog.ts';
import { loadCatalog } from '../catalog/load-catalog.ts';
import type { Credential } from '../credentials/credential.ts';
import type { Guardrail, Policy } from '../policy/policy.ts';
import { anyModel, sampleEndpoint, sampleModel } from '../testing/sample-models.ts';
import { createListing, type ListingDeps } from './create-listing.ts';

const now = () => new Date('2026-11-21T00:00:00Z');
const principal = {
  accountId: 'account',
  workspaceId: 'workspace',
  keyHash: 'key',
  limitNanoUsd: null,
  limitReset: null,
  includeByokInLimit: false,
};

type Rules = NonNullable<Guardrail['rules']>;
const policyOf = (...rules: readonly Partial<Rules>[]): Policy => ({
  isWorkspaceAlive: true,
  budgets: [],
  includeByokInBudgets: false,
  guardrails: rules.map((some, index) => ({
    id: `g${index}`,
    name: 'g',
    scope: 'key',
    assigneeId: 'key',
    includeByok: false,
    rules: some as Rules,
  })),
});

interface Options {
  readonly policy?: Policy;
  readonly credentials?: readonly Credential[];
  readonly more?: Partial<ListingDeps>;
}

function listing(models: readonly Model[], { policy, credentials = [], more }: Options = {}) {
  const lists = createListing({
    catalog: createCatalog(models, []),
    policies: { find: () => policy ?? policyOf() },
    credentials: { find: () => credentials },
    now,
    ...more,
  });
  const read = (view: CatalogView, parameters = {}, tellsMeasured = false) =>
    lists.read({ view, parameters, tellsMeasured, principal });
  return {
    lists,
    read,
    ids: async (view: CatalogView, parameters = {}) =>
      (await dataOf<{ id: string }[]>(read(view, parameters))).map(({ id }) => id),
  };
}

const textOf = ({ body }: InferenceReply) => Buffer.from(body as Uint8Array).toString();
async function dataOf<Data>(reply: Promise<InferenceReply>): Promise<Data> {
  const answered = await reply;
  equal(answered.status, 200, textOf(answered));
  return (JSON.parse(textOf(answered)) as { data: Data }).data;
}

test('the list says what the contract asks of a model', async () => {
  const { listed } = loadCatalog({
    simulatorUrl: 'http://127.0.0.1:1/v1',
    file: undefined,
    settings: () => undefined,
  });
  const { read } = listing(listed);
  const [echo] = await dataOf<Record<string, unknown>[]>(read('models'));
  const { supported_parameters: parameters, ...rest } = echo ?? {};
  ok(Array.isArray(parameters) && parameters.includes('tools'));
  deepEqual(rest, {
    id: 'sim/echo',
    canonical_slug: 'sim/echo',
    name: 'Simulator: echo',
    created: 1_700_000_000,
    description: 'Repeats what you said. Speaks the responses dialect.',
    context_length: 128_000,
    architecture: {
      modality: 'text->text',
      input_modalities: ['text'],
      output_modalities: ['text'],
      tokenizer: 'Other',
      instruct_type: null,
    },
    pricing: { prompt: '0.000001', completion: '0.000002', input_cache_read: '0.0000005' },
    top_provider: {
      context_length: 128_000,
      max_completion_tokens: 16_384,
      is_moderated: false,
    },
    per_request_limits: null,
    supported_voices: null,
    default_parameters: null,
    links: { details: '/models/sim/echo/endpoints' },
  });
});

test('a model tells all that is known of it', async () => {
  const model = sampleModel('openai/a', {
    canonicalSlug: 'openai/a-2026-01-01',
    inputModalities: ['text', 'image'],
    reasoning: {
      isMandatory: false,
      efforts: ['high', 'low'],
      defaultEffort: 'low',
      isDefaultOn: true,
      takesBudget: true,
    },
    details: {
      tokenizer: 'GPT',
      instructType: 'chatml',
      huggingFaceId: 'openai/a',
      knowledgeCutoff: '2025-12-31',
      expirationDate: '2027-01-01',
      defaultParameters: { temperature: 0.7, unheard_of: 1 },
      benchmarks: { artificial_analysis: { coding_index: 4 }, tool_success_rate: 1 },
    },
  });
  const { read } = listing([model]);
  const parameters = { author: 'openai', slug: 'a-2026-01-01:nitro' };
  const found = await dataOf<Record<string, unknown>>(read('model', parameters));
  equal(found['id'], 'openai/a');
  equal(found['canonical_slug'], 'openai/a-2026-01-01');
  deepEqual(found['architecture'], {
    modality: 'text+image->text',
    input_modalities: ['text', 'image'],
    output_modalities: ['text'],
    tokenizer: 'GPT',
    instruct_type: 'chatml',
  });
  deepEqual(found['reasoning'], {
    mandatory: false,
    supported_efforts: ['high', 'low'],
    default_effort: 'low',
    default_enabled: true,
    supports_max_tokens: true,
  });
  deepEqual(found['default_parameters'], {
    temperature: 0.7,
    top_p: null,
    top_k: null,
    frequency_penalty: null,
    presence_penalty: null,
    repetition_penalty: null,
  });
  deepEqual(
    ['hugging_face_id', 'knowledge_cutoff', 'expiration_date'].map((name) => found[name]),
    ['openai/a', '2025-12-31', '2027-01-01'],
  );
  deepEqual(found['benchmarks'], { artificial_analysis: { coding_index: 4 } });
});

describe('pages', () => {
  test('cover everything exactly once, in the order of the whole', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyModel, { maxLength: 20 }),
        fc.integer({ min: 1, max: 7 }),
        async (models, limit) => {
          const { ids } = listing(models);
          const all = { output_modalities: 'all', sort: 'newest' };
          const paged: string[] = [];
          for (let offset = 0; offset < models.length + limit; offset += limit)
            paged.push(
              ...(await ids('models', { ...all, offset: `${offset}`, limit: `${limit}` })),
            );
          deepEqual(paged, await ids('models', all));
          equal(paged.length, models.length);
        },
      ),
      { numRuns: 50 },
    );
  });

  test('are of the models of embeddings as well, and of those that a key can be used for', async () => {
    const vectors = ['a/x', 'a/y', 'a/z'].map((id) =>
      sampleModel(id, { outputModalities: ['embeddings', 'text'] }),
    );
    const { ids } = listing([sampleModel('a/text'), ...vectors]);
    deepEqual(await ids('embedding-models'), ['a/x', 'a/y', 'a/z']);
    deepEqual(await ids('embedding-models', { offset: '1', limit: '1' }), ['a/y']);
    deepEqual(await ids('usable-models', { offset: '3' }), ['a/z']);
  });
});

test('models are counted as they are listed', async () => {
  const { read } = listing([
    sampleModel('a/text'),
    sampleModel('a/picture', { outputModalities: ['image'] }),
  ]);
  deepEqual(await dataOf(read('models-count')), { count: 1 });
  deepEqual(await dataOf(read('models-count', { output_modalities: 'all' })), { count: 2 });
});

describe('a name', () => {
  const models = [
    sampleModel('a/sonnet-1', { created: 1 }),
    sampleModel('a/sonnet-2', { created: 2 }),
    sampleModel('a/sonnet-3', { created: 3, isHidden: true }),
    sampleModel('a/sonneteer', { created: 9 }),
    sampleModel('a/sonnet-1:free', { created: 0 }),
  ];
  const concrete = createCatalog(models, []);
  const catalog = {
    listed: concrete.listed,
    find: (id: string) => concrete.find(id === 'a/old' ? 'a/sonnet-1' : id),
  };
  const { read } = listing([], { more: { catalog } });
  const find = (slug: string, author = 'a') => read('model', { author, slug });

  test('that is an alias tells what it stands for', async () => {
    for (const [author, slug, target] of [
      ['a', 'old', 'a/sonnet-1'],
      ['~a', 'sonnet-latest', 'a/sonnet-2'],
    ] as const) {
      const { id, alias_target: alias } = await dataOf<{ id: string; alias_target: object }>(
        find(slug, author),
      );
      equal(id, `${author}/${slug}`);
      deepEqual(alias, { slug: target, name: target });
    }
  });

  test('has its variant where that is a model of its own, and else its model', async () => {
    for (const [slug, id] of [
      ['sonnet-1:free', 'a/sonnet-1:free'],
      ['sonnet-1:free:nitro', 'a/sonnet-1:free'],
      ['sonnet-1:floor', 'a/sonnet-1'],
    ] as const)
      equal((await dataOf<{ id: string }>(find(slug))).id, id);
  });

  test.each(['none', 'sonnet-3', 'sonnet-2:free', 'sonnet-2:unheard', 'sonnet-latest', ''])(
    'that names nothing that is listed (%j) is not found',
    async (slug) => {
      for (const view of ['model', 'endpoints'] as const)
        equal((await read(view, { author: 'a', slug })).status, 404);
    },
  );
});

describe('what was measured', () => {
  const percentiles = { p50: 1, p75: 2, p90: 3, p99: 4 };
  const dataPolicy = { retains: false, trains: false, publishes: false };
  const one = sampleEndpoint('a/b', 'groq', { dataPolicy, quantization: 'fp8' });
  const model = sampleModel('a/b', { endpoints: [one, sampleEndpoint('a/b', 'openai')] });
  const statistics = (id: string) =>
    id === one.id
      ? {
          latencyMs: percentiles,
          tokensPerSecond: undefined,
          uptime5m: 50,
          uptime30m: 90,
          uptime1d: 99.5,
          requestCount: 7,
        }
      : undefined;
  const { read } = listing([model], { more: { statistics } });
  interface Endpoint {
    readonly [name: string]: unknown;
  }

  test('is told to whoever has a key, and to nobody else', async () => {
    const parameters = { author: 'a', slug: 'b' };
    const told = await dataOf<{ endpoints: Endpoint[] }>(read('endpoints', parameters, true));
    const untold = await dataOf<{ endpoints: Endpoint[] }>(read('endpoints', parameters));
    const [first, second] = told.endpoints;
    deepEqual(
      [first?.['uptime_last_5m'], first?.['uptime_last_30m'], first?.['uptime_last_1d']],
      [50, 90, 99.5],
    );
    deepEqual(first?.['latency_last_30m'], percentiles);
    deepEqual(first?.['perf_last_30m_by_workload'], {
      text_generation: { latency: percentiles, throughput: null, request_count: 7 },
    });
    equal(first?.['status'], -1);
    equal(second?.['status'], 0);
    for (const endpoint of [second, ...untold.endpoints]) {
      for (const name of ['uptime_last_5m', 'uptime_last_30m', 'uptime_last_1d'])
        equal(endpoint?.[name], null);
      equal(endpoint?.['latency_last_30m'], null);
      equal(endpoint?.['throughput_last_30m'], null);
      equal(endpoint?.['perf_last_30m_by_workload'], undefined);
    }
  });

  test('stands beside what is known of an endpoint', async () => {
    const [endpoint, ...others] = await dataOf<Endpoint[]>(read('zero-retention-endpoints'));
    equal(others.length, 0);
    deepEqual(
      ['name', 'model_id', 'provider_name', 'tag', 'quantization', 'context_length'].map(
        (name) => endpoint?.[name],
      ),
      ['The groq | a/b', 'a/b', 'The groq', 'groq', 'fp8', null],
    );
    deepEqual(endpoint?.['supports_tool_choice'], {
      auto: true,
      none: true,
      required: true,
      function: true,
    });
  });

  test('of providers there is each once', async () => {
    const providers = await dataOf<{ slug: string; privacy_policy_url: null }[]>(read('providers'));
    deepEqual(
      providers.map(({ slug, privacy_policy_url: url }) => [slug, url]),
      [
        ['groq', null],
        ['openai', null],
      ],
    );
  });
});

describe('a key can be used for', () => {
  const keepsNothing = { retains: false, trains: false, publishes: false };
  const trains = { retains: true, trains: true, publishes: true };
  const free = { prompt: '0', completion: '0' };
  const models = [
    sampleModel('openai/a', {
      canonicalSlug: 'openai/a-2026',
      endpoints: [
        sampleEndpoint('openai/a', 'openai'),
        sampleEndpoint('openai/a', 'azure', { dataPolicy: keepsNothing, dataRegion: 'europe' }),
      ],
    }),
    sampleModel('google/b', {
      endpoints: [sampleEndpoint('google/b', 'groq', { dataPolicy: trains })],
    }),
    sampleModel('x/c', {
      endpoints: [sampleEndpoint('x/c', 'groq', { dataPolicy: trains, pricing: free })],
    }),
    sampleModel('x/own', {
      endpoints: [sampleEndpoint('x/own', 'mistral', { isByokOnly: true })],
    }),
  ];
  const usable = (rules: readonly Partial<Rules>[], credentials: readonly Credential[] = []) =>
    listing(models, { policy: policyOf(...rules), credentials }).ids('usable-models');
  const values = (...some: string[]) => ({ values: some });
  const open = ['openai/a', 'google/b', 'x/c'];

  test.each<[string, readonly Partial<Rules>[], readonly string[]]>([
    ['all but what needs an own credential', [], open],
    ['no other model', [{ allowedModels: values('openai/a-2026', 'x/c') }], ['openai/a', 'x/c']],
    [
      'what every guardrail allows',
      [{ allowedModels: values('openai/a-2026', 'x/c') }, { allowedModels: values('x/c') }],
      ['x/c'],
    ],
    ['not what one of them ignores', [{ ignoredModels: values('x/c') }, {}], open.slice(0, 2)],
    ['no other provider', [{ allowedProviders: values('azure') }], ['openai/a']],
    ['not a provider that is ignored', [{ ignoredProviders: values('groq') }], ['openai/a']],
    ['nothing where its region is not allowed', [{ allowedDataRegions: values('europe') }], []],
    ['all where it is', [{ allowedDataRegions: values('europe', 'global') }], open],
    [
      'nothing that keeps what it hears',
      [{ zeroRetention: { google: true } }],
      ['openai/a', 'x/c'],
    ],
    ['nor of a family that has no name', [{ zeroRetention: { other: true } }], open.slice(0, 2)],
    ['no training for money', [{ enablePaidModelTraining: false }], ['openai/a', 'x/c']],
    ['no training for nothing', [{ enableFreeModelTraining: false }], open.slice(0, 2)],
    ['nothing that is published', [{ enableFreeModelPublication: false }], open.slice(0, 2)],
    ['nothing at all', [{ allowedModels: values('no/such') }], []],
  ])('%s', async (_rule, rules, expected) => {
    deepEqual(await usable(rules), expected);
  });

  const credential: Credential = {
    id: 'c',
    provider: 'mistral',
    secretId: 's',
    sortOrder: 0,
    isFallback: false,
    isRequired: false,
    isByokOnly: false,
    declaredZdr: undefined,
    models: undefined,
    keyHashes: undefined,
    userIds: undefined,
  };

  test('what a credential of its own opens', async () => {
    deepEqual(await usable([], [credential]), [...open, 'x/own']);
    const others = { ...credential, keyHashes: new Set(['another key']) };
    deepEqual(await usable([], [others]), open);
  });

  test('a model at the price of the endpoints that are left', async () => {
    const policy = policyOf({ allowedProviders: values('azure') });
    const endpoints = [
      sampleEndpoint('a/b', 'openai', { pricing: { prompt: '0.1', completion: '0.1' } }),
      sampleEndpoint('a/b', 'azure', { pricing: { prompt: '0.2', completion: '0.2' } }),
    ];
    const { read } = listing([sampleModel('a/b', { endpoints })], { policy });
    const [model] = await dataOf<{ pricing: object }[]>(read('usable-models'));
    deepEqual(model?.pricing, { prompt: '0.2', completion: '0.2' });
  });

  test('nothing without a key, in a workspace that is gone, or while nobody knows', async () => {
    const { lists } = listing(models);
    const anonymous = { view: 'usable-models', parameters: {}, tellsMeasured: false } as const;
    equal((await lists.read(anonymous)).status, 401);
    const gone = listing(models, { policy: { ...policyOf(), isWorkspaceAlive: false } });
    ok([403, 404].includes((await gone.read('usable-models')).status));
    const policies = { find: () => Promise.reject(new Fault('unavailable')) };
    equal((await listing(models, { more: { policies } }).read('usable-models')).status, 503);
  });
});

describe('an answer', () => {
  test('is kept for as long as the catalogue stays, and another one after it changed', async () => {
    let current = createCatalog([sampleModel('a/one')], []);
    const catalog = {
      find: (id: string) => current.find(id),
      get listed() {
        return current.listed;
      },
    };
    const { read, ids } = listing([], { more: { catalog } });
    const first = await read('models');
    equal(await read('models'), first);
    current = createCatalog([sampleModel('a/one'), sampleModel('a/two')], []);
    const second = await read('models');
    ok(second.headers['etag'] !== first.headers['etag']);
    deepEqual(await ids('models'), ['a/one', 'a/two']);
    current = createCatalog([sampleModel('a/one')], []);
    equal((await read('models')).headers['etag'], first.headers['etag']);
  });

  test('is right however many different ones are asked for', async () => {
    const { ids } = listing([sampleModel('a/one'), sampleModel('a/two')]);
    for (let round = 0; round < 2; round++)
      for (let number = 0; number < 50; number++)
        deepEqual(
          await ids('models', { q: number % 2 ? 'one' : 'two', min_price: `0.${number}` }),
          [number % 2 ? 'a/one' : 'a/two'],
        );
  });

  test('to a wrong question names what is wrong', async () => {
    const { read } = listing([]);
    for (const view of ['models', 'usable-models', 'models-count', 'embedding-models'] as const) {
      const reply = await read(view, { limit: 'x' });
      equal(reply.status, 400);
      match(textOf(reply), /"path":"limit"/);
    }
  });
});

test('a feed is well-formed whatever the models are called', async () => {
  const name = `<&"'\u0000\ud800 ]]>`;
  const { read } = listing([sampleModel('a/b', { name, created: 1_700_000_000 })]);
  const reply = await read('models', { use_rss: 'true' });
  equal(reply.headers['content-type'], 'application/rss+xml; charset=utf-8');
  const text = textOf(reply);
  ok(text.includes('<title>&lt;&amp;&quot;&apos;\ufffd ]]&gt;</title>'), text);
  ok(text.includes('<pubDate>Tue, 14 Nov 2023 22:13:20 GMT</pubDate>'));
  equal(
    (await read('models', { use_rss: 'false' })).headers['content-type']?.includes('json'),
    true,
  );
});
