import { deepEqual, equal, ok, throws } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { designEloOf, indexOf, toolSuccessRateOf } from '../selection/benchmarks.ts';
import { modelView } from './model-view.ts';
import { loadCatalog, type Model, reloadingCatalog } from '@sluice/catalog';

const price = "pricing: { prompt: '0.000001', completion: '0.000002' }";
const provider =
  "{ slug: mine, name: Mine, dialect: openai-chat, base_url: 'http://127.0.0.1:9/v1'";

const load = (file: string) =>
  loadCatalog({ simulatorUrl: undefined, file, settings: () => undefined });

function model(endpoints: string, more = ''): Model {
  const found = load(`
providers: [${provider} }]
models: [{ id: mine/one, ${more} endpoints: [${endpoints}] }]`).find('mine/one');
  ok(found);
  return found;
}

describe('an endpoint of the catalog file', () => {
  test('says where, how exact, how large, in which tier and by which rules it is', () => {
    const [endpoint] = model(
      `{ provider: mine, upstream_model: m, ${price}, variant: eu-west, quantization: fp8,
         context_length: 8000, max_prompt_tokens: 6000, max_output_tokens: 2000, input_modalities: [text, image],
         output_modalities: [text], supported_parameters: [tools, temperature], data_region: europe,
         native_tools: [web_search],
         data_policy: { retains: false, trains: false, publishes: false }, moderated: true }`,
    ).endpoints;
    ok(endpoint);
    const { id, endpoint: upstream, prices, pricing, supportedParameters, ...facts } = endpoint;
    ok(id && prices && pricing);
    equal(upstream.provider, 'mine');
    deepEqual(upstream.nativeTools, ['web_search']);
    deepEqual([...supportedParameters], ['tools', 'temperature']);
    deepEqual(facts, {
      tag: 'mine/eu-west',
      providerName: 'Mine',
      tier: 'default',
      quantization: 'fp8',
      contextLength: 8_000,
      promptTokensMax: 6_000,
      outputTokensMax: 2_000,
      inputModalities: ['text', 'image'],
      outputModalities: ['text'],
      dataPolicy: { retains: false, trains: false, publishes: false },
      dataRegion: 'europe',
      isHidden: false,
      isModerated: true,
      isByokOnly: false,
      cachesImplicitly: false,
    });
  });

  test('of another tier has it in its name, and an id of its own', () => {
    const row = `provider: mine, upstream_model: m, ${price}`;
    const { endpoints } = model(`{ ${row} }, { ${row}, tier: priority }`);
    deepEqual(
      endpoints.map(({ tag }) => tag),
      ['mine', 'mine/priority'],
    );
    equal(new Set(endpoints.map(({ id }) => id)).size, 2);
  });

  test('that is the same as another one is refused by its place', () => {
    const row = `{ provider: mine, upstream_model: m, ${price} }`;
    throws(() => model(`${row}, ${row}`), /models\[0\]\.endpoints\[1\]: it is the same/);
  });

  test('is refused by its path where it says what is none', () => {
    for (const [field, path] of [
      ['tier: gold', 'tier'],
      ['quantization: fp3', 'quantization'],
      ['input_modalities: [smell]', 'input_modalities'],
      ['supported_parameters: [luck]', 'supported_parameters'],
      ['native_tools: [luck]', 'native_tools'],
      ['data_policy: { retains: false }', 'data_policy'],
      ['nonsense: 1', 'nonsense'],
    ] as const) {
      const row = `{ provider: mine, upstream_model: m, ${price}, ${field} }`;
      throws(() => model(row), new RegExp(`models\\[0\\]\\.endpoints\\[0\\]\\.${path}`));
    }
  });
});

describe('a price of the catalog file', () => {
  const priced = (more: string) =>
    model(
      `{ provider: mine, upstream_model: m, pricing: { prompt: '0.000001', completion: '0.000002', ${more} } }`,
    );

  test('can hold for long prompts or at some hours, and be discounted, as the lists say', () => {
    const [endpoint] = priced(`web_search: '0.01', discount: 0.5,
      overrides: [{ min_prompt_tokens: 1000, prompt: '0.000004' },
        { utc_start: '0030', utc_end: '1630', utc_days: [1, 5], completion: '0.000008' }]`).endpoints;
    deepEqual(endpoint?.pricing, {
      prompt: '0.000001',
      completion: '0.000002',
      web_search: '0.01',
      discount: 0.5,
      overrides: [
        { min_prompt_tokens: 1_000, prompt: '0.000004' },
        { utc_start: '0030', utc_end: '1630', utc_days: [1, 5], completion: '0.000008' },
      ],
    });
    equal(endpoint.prices.tiers?.[0]?.prices.inputTokenAttoUsd, 2_000_000_000_000n);
    const monday = endpoint.pricesAt?.(new Date('2026-11-16T12:00:00Z'));
    equal(monday?.outputTokenAttoUsd, 4_000_000_000_000n);
  });

  test.each([
    ["overrides: [{ prompt: '1' }]", 'overrides\\[0\\] has no condition'],
    [
      "overrides: [{ min_prompt_tokens: 1, request: '1' }]",
      'overrides\\[0\\]\\.request: there is no',
    ],
    [
      "overrides: [{ utc_start: '2400', utc_end: '0100', prompt: '1' }]",
      'overrides\\[0\\]\\.utc_start',
    ],
    ["overrides: [{ utc_days: [7], prompt: '1' }]", 'overrides\\[0\\]\\.utc_days\\[0\\]'],
    ['discount: 2', 'discount'],
    ['discount: 0.1234567', 'discount'],
    ["web_search: '-1'", 'web_search'],
  ])('that is none, %s, is refused by its path', (more, path) => {
    throws(() => priced(more), new RegExp(`models\\[0\\]\\.endpoints\\[0\\]\\.pricing\\.${path}`));
  });
});

describe('what the catalog file tells of a model', () => {
  const endpoint = `{ provider: mine, upstream_model: m, ${price} }`;

  test('is what the lists show and sort by', () => {
    const described = model(
      endpoint,
      `tokenizer: Mine, instruct_type: chatml, default_parameters: { temperature: 0.6, top_k: 20 },
       benchmarks: { artificial_analysis: { coding_index: 41.5 }, tool_success_rate: 0.98,
         design_arena: [{ arena: web, category: all, elo: 1234, rank: 3, win_rate: 51.2 }] },`,
    );
    const view = modelView(described) as Readonly<Record<string, unknown>>;
    deepEqual(view['default_parameters'], {
      temperature: 0.6,
      top_p: null,
      top_k: 20,
      frequency_penalty: null,
      presence_penalty: null,
      repetition_penalty: null,
    });
    deepEqual(view['benchmarks'], {
      artificial_analysis: { coding_index: 41.5 },
      design_arena: [{ arena: 'web', category: 'all', elo: 1_234, rank: 3, win_rate: 51.2 }],
    });
    deepEqual([indexOf(described, 'coding_index'), designEloOf(described)], [41.5, 1_234]);
    equal(toolSuccessRateOf(described), 0.98);
    equal(described.details.instructType, 'chatml');
  });

  test('is refused by its path where it says what is none', () => {
    for (const [written, path] of [
      ['default_parameters: { temperature: 3 }', String.raw`default_parameters\.temperature`],
      ['default_parameters: { seed: 1 }', String.raw`default_parameters\.seed`],
      ['benchmarks: { tool_success_rate: 98 }', String.raw`benchmarks\.tool_success_rate`],
      ['benchmarks: { design_arena: [{ elo: 1 }] }', String.raw`benchmarks\.design_arena\[0\]`],
    ] as const)
      throws(() => model(endpoint, `${written},`), new RegExp(String.raw`models\[0\]\.${path}`));
  });
});

describe('a name of a model', () => {
  const row = `provider: mine, upstream_model: m, ${price}`;
  const file = (first: string, second: string) => `
providers: [${provider} }]
models:
  - { id: mine/old, created: 1, ${row}, ${first} }
  - { id: mine/new, created: 2, ${row}, ${second} }`;

  test('that begins with ~ means the newest visible one of those that have it', () => {
    const aliases = "aliases: ['~mine/latest', '~mine/hidden-latest']";
    const catalog = load(file(aliases, aliases));
    equal(catalog.find('~mine/latest')?.id, 'mine/new');
    const hidden = load(file(aliases, `hidden: true, ${aliases}`));
    equal(hidden.find('~mine/latest')?.id, 'mine/old');
  });

  test('is of one model, and is not a model itself', () => {
    equal(load(file('aliases: [mine/first]', 'name: x')).find('mine/first')?.id, 'mine/old');
    throws(() => load(file('aliases: [mine/a]', 'aliases: [mine/a]')), /mine\/a comes twice/);
    throws(() => load(file('aliases: [mine/new]', 'name: x')), /mine\/new of mine\/old is a model/);
  });
});

test('a catalog that is read again is taken as a whole, or not at all', async () => {
  const row = `provider: mine, upstream_model: m, ${price}`;
  let text = `
providers: [${provider} }]
models: [{ id: mine/one, ${row} }]`;
  const logged: string[] = [];
  const log = (message: string) => void logged.push(message);
  const read = async () => load(text);
  const catalog = await reloadingCatalog(read, read, { info: log, error: log });
  const before = catalog.find('mine/one');
  text = text.replace('mine/one', 'mine/two');
  await catalog.reload();
  equal(catalog.find('mine/one'), undefined);
  ok(before && catalog.find('mine/two'));
  text = 'models: [{ id: nonsense }]';
  await catalog.reload();
  deepEqual(
    catalog.listed.map(({ id }) => id),
    ['mine/two'],
  );
  equal(logged.length, 2);
});
