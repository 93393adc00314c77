import { deepEqual, equal, match, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { createCatalog, loadCatalog } from '@sluice/catalog';
import { dataOf, listing, textOf } from '../testing/sample-listing.ts';
import { anyModel, sampleEndpoint, sampleModel } from '@sluice/catalog/testing';

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
    object: 'model',
    owned_by: 'sim',
    canonical_slug: 'sim/echo',
    name: 'Simulator: echo',
    created: 1_700_000_000,
    description: 'Repeats what you said. Speaks the responses dialect.',
    context_length: 128_000,
    architecture: {
      modality: 'text+image+file+audio+video->text',
      input_modalities: ['text', 'image', 'file', 'audio', 'video'],
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

interface ModelList {
  readonly object: string;
  readonly data: readonly { readonly id: string }[];
  readonly total_count: number;
  readonly links: { readonly next: string | null };
}

test('a model that is retrieved is in no envelope, by its slug, in two parts or as a whole', async () => {
  const { read } = listing([sampleModel('openai/a')]);
  for (const parameters of [{ author: 'openai', slug: 'a' }, { model: 'openai/a' }]) {
    const found = JSON.parse(textOf(await read('retrieved-model', parameters))) as object;
    deepEqual(found, await dataOf(read('model', parameters)));
    match(JSON.stringify(found), /^\{"id":"openai\/a","object":"model","owned_by":"openai",/);
  }
  equal((await read('retrieved-model', { model: 'a' })).status, 404);
});

test.each([
  ['openai/a', 200],
  ['openai/a:nitro', 200],
  ['openai/hidden', 200],
  ['service/free', 200],
  ['openai/a:online', 200],
  ['service/pareto-code', 200],
  ['service/pareto-code:nitro', 200],
  ['openai/a:free', 404],
  ['openai/b', 404],
  ['service/switchyard', 200],
  ['service/auto', 200],
  ['', 404],
])('whether a request may name a model is told: %s', async (model, status) => {
  const hidden = { ...sampleModel('openai/hidden'), isHidden: true };
  const { read } = listing([sampleModel('openai/a'), hidden]);
  equal((await read('callable-model', { model })).status, status);
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

  test('are linked to the next one until there is none, each with the count of all', async () => {
    const models = Array.from({ length: 7 }, (_, index) => sampleModel(`a/m${index}`));
    const vectors = models.map(({ id }) => sampleModel(id, { outputModalities: ['embeddings'] }));
    for (const [view, path, listed] of [
      ['models', '/models', models],
      ['usable-models', '/models', models],
      ['user-models', '/models/user', models],
      ['embedding-models', '/embeddings/models', vectors],
    ] as const) {
      const { read } = listing(listed);
      const found: string[] = [];
      let next: string | null = `${path}?limit=3&q=a%2Fm`;
      while (next !== null) {
        const url = new URL(next, 'http://base');
        equal(url.pathname, path);
        const reply = await read(view, Object.fromEntries(url.searchParams));
        const list = JSON.parse(textOf(reply)) as ModelList;
        deepEqual([list.object, list.total_count], ['list', 7]);
        ok(list.data.length <= 3);
        found.push(...list.data.map(({ id }) => id));
        ({ next } = list.links);
      }
      deepEqual(
        found,
        listed.map(({ id }) => id),
      );
    }
    const whole = JSON.parse(textOf(await listing(models).read('models'))) as ModelList;
    deepEqual([whole.total_count, whole.links], [7, { next: null }]);
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

test('a model without an endpoint is in no list', async () => {
  const endpoints = [sampleEndpoint('a/off', 'openai', { isHidden: true })];
  const { ids, read } = listing([sampleModel('a/off', { endpoints }), sampleModel('a/on')]);
  deepEqual(await ids('models'), ['a/on']);
  deepEqual(await ids('usable-models'), ['a/on']);
  equal((await read('model', { author: 'a', slug: 'off' })).status, 404);
});

describe('an answer', () => {
  test('is kept for as long as the catalog stays, and another one after it changed', async () => {
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
