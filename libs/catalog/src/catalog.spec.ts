import { deepEqual, equal, ok, throws } from 'node:assert/strict';
import { loadPriceList } from '@sluice/price-list';
import { providerPresets } from '@sluice/providers';
import { describe, test } from 'vitest';
import { InvalidCatalog } from './file.ts';
import { areModelsKnown, loadCatalog, type CatalogSources } from './load-catalog.ts';

const prices = await loadPriceList();
const list = { prices, instant: new Date('2026-11-21T12:00:00Z') };
const load = (sources: Partial<CatalogSources> = {}) =>
  loadCatalog({
    simulatorUrl: undefined,
    file: undefined,
    list,
    settings: () => undefined,
    ...sources,
  });

const only = (name: string, value: string) => (asked: string) =>
  asked === name ? value : undefined;

const file = `
providers:
  - { slug: local, name: Local, dialect: openai-chat, base_url: "http://127.0.0.1:1/v1/", api_key_env: LOCAL_KEY }
models:
  - id: local/small
    context_length: 8192
    provider: local
    upstream_model: small-v1
    pricing: { prompt: "0.0000001", completion: "0.0000002" }
`;

const problemsOf = (text: string, more: Partial<CatalogSources> = {}) => {
  try {
    load({ file: text, settings: only('LOCAL_KEY', 'a-secret'), ...more });
  } catch (error) {
    ok(error instanceof InvalidCatalog);
    return error.message;
  }
  return 'no problem';
};

describe('providers', () => {
  test('are off without their setting', () => {
    equal(load().listed.length, 0);
    equal(load().find('openai/gpt-4.1'), undefined);
  });

  test.each(providerPresets.map((preset) => [preset.slug, preset] as const))(
    '%s is switched on by its setting, and serves what the catalog file names',
    (slug, { addressSetting, keySetting, dialect, baseUrl }) => {
      const setting = addressSetting ?? keySetting ?? '';
      const value = addressSetting === undefined ? 'a-key' : 'https://a.example/';
      const text = `models: [{ id: ${slug}/mine, provider: ${slug}, upstream_model: mine,
        pricing: { prompt: "1", completion: "2" } }]`;
      ok(problemsOf(text, { settings: () => undefined }).includes(`${slug} is not switched on`));
      const catalog = load({ file: text, settings: only(setting, value) });
      const endpoint = catalog.find(`${slug}/mine`)?.endpoints[0]?.endpoint;
      equal(endpoint?.dialect, dialect);
      ok(endpoint.baseUrl.startsWith(baseUrl ?? 'https://a.example/'), endpoint.baseUrl);
      equal(endpoint.apiKey?.reveal(), addressSetting === undefined ? 'a-key' : undefined);
    },
  );

  test('with an address that is none are named', () => {
    const settings = only('VLLM_HOST', 'http://');
    throws(() => load({ settings }), /VLLM_HOST is no address/);
  });

  test('bring their models when they are on', () => {
    const catalog = load({ settings: only('OPENAI_API_KEY', 'sk-0123456789') });
    const model = catalog.find('openai/gpt-4.1-mini');
    equal(model?.endpoints[0]?.endpoint.baseUrl, 'https://api.openai.com/v1');
    equal(model?.endpoints[0]?.prices.outputTokenAttoUsd, 1_600_000_000_000n);
    equal(catalog.find('openai/unheard-of'), undefined);
  });

  test('bring none when the file describes them: what answers there is for it to say', () => {
    const text = `providers: [{ slug: openai, name: Mine, dialect: openai-chat, base_url: "http://127.0.0.1:1/v1" }]`;
    const settings = only('OPENAI_API_KEY', 'sk-0123456789');
    equal(load({ file: text, settings }).listed.length, 0);
    ok(load({ settings }).listed.length > 10);
  });

  test('bring none without a list of prices', () => {
    const settings = only('OPENAI_API_KEY', 'sk-0123456789');
    equal(load({ settings, list: undefined }).listed.length, 0);
    deepEqual([areModelsKnown(settings), areModelsKnown(only('OLLAMA_HOST', 'a'))], [true, false]);
  });

  test('that are switched on for own credentials alone bring their models for those', () => {
    for (const named of ['openai', ' mistral, openai ', 'all']) {
      const catalog = load({ settings: only('SLUICE_BYOK_PROVIDERS', named) });
      const endpoint = catalog.find('openai/gpt-4.1-mini')?.endpoints[0];
      deepEqual([endpoint?.isByokOnly, endpoint?.endpoint.apiKey], [true, undefined]);
    }
    const settings = (name: string) =>
      ({ OPENAI_API_KEY: 'sk-0123456789', SLUICE_BYOK_PROVIDERS: 'all' })[name];
    equal(load({ settings }).find('openai/gpt-4.1-mini')?.endpoints[0]?.isByokOnly, false);
    for (const named of ['nobody', 'ollama'])
      throws(
        () => load({ settings: only('SLUICE_BYOK_PROVIDERS', named) }),
        /SLUICE_BYOK_PROVIDERS/,
      );
  });

  test('on this machine answer for any model and cost nothing', () => {
    const catalog = load({ settings: only('OLLAMA_HOST', '127.0.0.1:11434') });
    const endpoint = catalog.find('ollama/llama3:8b')?.endpoints[0];
    equal(endpoint?.endpoint.baseUrl, 'http://127.0.0.1:11434/v1');
    equal(endpoint.endpoint.upstreamModel, 'llama3:8b');
    equal(endpoint.prices.outputTokenAttoUsd, 0n);
    equal(catalog.find('ollama/no spaces'), undefined);
    deepEqual(catalog.find('ollama/nomic-embed-text')?.outputModalities, ['text', 'embeddings']);
  });
});

describe('the simulator', () => {
  const catalog = load({ simulatorUrl: 'http://127.0.0.1:1/v1' });

  test('lists models that cost something', () => {
    const model = catalog.find('sim/echo');
    ok((model?.endpoints[0]?.prices.outputTokenAttoUsd ?? 0n) > 0n);
    deepEqual(
      catalog.listed.map(({ id }) => id),
      [
        'sim/echo',
        'sim/chat',
        'sim/messages',
        'sim/gemini',
        'sim/agent',
        'sim/reasoning',
        'sim/embedding',
        'sim/gemini-embedding',
        'sim/rerank',
        'sim/cohere-rerank',
      ],
    );
  });

  test('answers for models that fail on request, without listing them', () => {
    equal(catalog.find('sim/sim-cut-3')?.endpoints[0]?.endpoint.dialect, 'openai-responses');
    equal(catalog.find('sim/chat-sim-cut-3')?.endpoints[0]?.endpoint.dialect, 'openai-chat');
    equal(catalog.find('sim/fallback')?.endpoints.length, 2);
  });

  test('answers for models of vectors, which have no parameters of answers', () => {
    for (const [id, dialect] of [
      ['sim/embedding', 'openai-chat'],
      ['sim/embedding-sim-error-500', 'openai-chat'],
      ['sim/gemini-embedding-sim-cut-0', 'google-gemini'],
    ] as const) {
      const model = catalog.find(id);
      const [one] = model?.endpoints ?? [];
      deepEqual([model?.outputModalities, model?.inputModalities], [['embeddings'], ['text']]);
      deepEqual([one?.endpoint.dialect, one?.supportedParameters.size], [dialect, 0]);
    }
  });
});

describe('the catalog file', () => {
  test('adds providers and models', () => {
    const model = load({ file, settings: only('LOCAL_KEY', 'LOCAL_KEY-value') }).find(
      'local/small',
    );
    const endpoint = model?.endpoints[0]?.endpoint;
    equal(endpoint?.baseUrl, 'http://127.0.0.1:1/v1');
    equal(endpoint.apiKey?.reveal(), 'LOCAL_KEY-value');
    equal(endpoint.upstreamModel, 'small-v1');
    equal(model?.contextLength, 8192);
  });

  test('wins over a built-in row of the same id', () => {
    const text = `models: [{ id: openai/gpt-4.1, provider: openai, upstream_model: mine,
      pricing: { prompt: "1", completion: "2" } }]`;
    const catalog = load({ file: text, settings: only('OPENAI_API_KEY', 'sk-0123456789') });
    equal(catalog.find('openai/gpt-4.1')?.endpoints[0]?.endpoint.upstreamModel, 'mine');
  });

  test('may be empty', () => {
    equal(load({ file: '' }).listed.length, 0);
  });

  test('is refused with the path of each problem', () => {
    const providers =
      'providers: [{ slug: LOCAL, name: x, dialect: telepathy, base_url: "ftp://x" }]';
    const models = `models: [{ id: nameless, provider: local, upstream_model: m,
      pricing: { prompt: 1, completion: "-2" } }]`;
    const problems = problemsOf(providers) + problemsOf(models) + problemsOf('surprise: true');
    for (const path of [
      'providers[0].slug',
      'providers[0].dialect',
      'providers[0].base_url',
      'models[0].id',
      'models[0].endpoints[0].pricing.prompt',
      'models[0].endpoints[0].pricing.completion',
      'surprise: there is no such field',
    ])
      ok(problems.includes(path), `${path} in ${problems}`);
  });

  test('is refused when it is not YAML', () => {
    ok(problemsOf('a: [').startsWith('Catalog: '));
    throws(() => load({ file: '- just\n- a list' }), InvalidCatalog);
  });

  test('is refused when a key is missing, a provider unknown or a row comes twice', () => {
    ok(
      problemsOf(file, { settings: () => undefined }).includes('api_key_env: LOCAL_KEY is not set'),
    );
    const unknown = file.replace('provider: local', 'provider: elsewhere');
    ok(problemsOf(unknown).includes('models[0].endpoints[0].provider: elsewhere'));
    const twice = `${file}  - { id: local/small, provider: local, upstream_model: m,
      pricing: { prompt: "1", completion: "1" } }`;
    ok(problemsOf(twice).includes('models[1].id: local/small comes twice'));
  });
});
