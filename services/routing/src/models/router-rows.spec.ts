import { deepEqual, equal } from 'node:assert/strict';
import { sampleEndpoint, sampleModel } from '@sluice/catalog/testing';
import { describe, test } from 'vitest';
import { routers } from '../selection/routers/index.ts';
import { dataOf, listing } from '../testing/sample-listing.ts';
import { listedRouters } from './router-rows.ts';

const models = [
  sampleModel('a/one', {
    contextLength: 8_000,
    endpoints: [sampleEndpoint('a/one', 'openai', { supportedParameters: new Set(['tools']) })],
    inputModalities: ['text'],
  }),
  sampleModel('a/two', {
    contextLength: 90_000,
    endpoints: [sampleEndpoint('a/two', 'groq', { supportedParameters: new Set(['seed']) })],
    inputModalities: ['text', 'image'],
  }),
  sampleModel('a/vectors', { outputModalities: ['embeddings'], contextLength: 900_000 }),
];
const listed = listing(models, { more: { routers: listedRouters } });
const slugs = listedRouters.map(({ slug }) => slug);

interface Row {
  readonly id: string;
  readonly pricing: object;
  readonly context_length: number;
  readonly supported_parameters: readonly string[];
  readonly architecture: { readonly input_modalities: readonly string[] };
}

describe('the routers in the lists of models', () => {
  test('are those that are built', () => {
    deepEqual(slugs.toSorted(), [...routers.keys()].toSorted());
  });

  test('follow the models, for every key and in every count', async () => {
    const all = ['a/one', 'a/two', ...slugs];
    for (const view of ['models', 'usable-models', 'user-models'] as const)
      deepEqual(await listed.ids(view), all);
    deepEqual(await dataOf(listed.read('models-count')), { count: all.length });
    deepEqual(await listed.ids('embedding-models'), ['a/vectors']);
  });

  test('have prices that say whether they vary, and the abilities of their models', async () => {
    const rows = new Map((await dataOf<Row[]>(listed.read('models'))).map((row) => [row.id, row]));
    deepEqual(rows.get('service/pareto-code')?.pricing, { prompt: '-1', completion: '-1' });
    deepEqual(rows.get('service/free')?.pricing, { prompt: '0', completion: '0' });
    const row = rows.get('service/pareto-code');
    deepEqual(row?.supported_parameters, ['tools', 'seed']);
    deepEqual(row?.architecture.input_modalities, ['text', 'image']);
    equal(row?.context_length, 90_000);
  });

  test('are found by the filters of abilities, and by no filter of prices', async () => {
    deepEqual(await listed.ids('models', { supported_parameters: 'tools' }), ['a/one', ...slugs]);
    deepEqual(await listed.ids('models', { max_price: '0.0001' }), []);
    deepEqual(
      (await listed.ids('models', { sort: 'pricing-low-to-high' })).slice(-slugs.length),
      slugs,
    );
  });

  test('are read by name, with or without a suffix, and have no endpoints', async () => {
    for (const slug of ['pareto-code', 'pareto-code:nitro']) {
      const found = await dataOf<Row>(listed.read('model', { author: 'service', slug }));
      equal(found.id, 'service/pareto-code');
    }
    const asked = { author: 'service', slug: 'pareto-code' };
    const { endpoints } = await dataOf<{ endpoints: unknown }>(listed.read('endpoints', asked));
    deepEqual(endpoints, []);
  });
});
