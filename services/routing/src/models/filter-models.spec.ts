import { deepEqual, equal, ok } from 'node:assert/strict';
import { isRejection } from '@sluice/errors';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import type { Model } from '@sluice/catalog';
import {
  anyModel,
  sampleEndpoint,
  sampleModel,
  sampleParameters,
  sampleProviders,
} from '@sluice/catalog/testing';
import { satisfies } from './filter-models.ts';
import { parseModelFilters, type ModelFilters } from './model-filters.ts';
import { modelView } from './model-view.ts';

const nowSeconds = 1_800_000_000;
const filtersOf = (parameters: Readonly<Record<string, string>>): ModelFilters => {
  const filters = parseModelFilters(parameters);
  ok(!isRejection(filters), JSON.stringify(filters));
  return filters;
};
const shows = (model: Model, parameters: Readonly<Record<string, string>>) =>
  satisfies(model, filtersOf(parameters), nowSeconds);

/** The facts of a model that a client can see. */
interface Seen {
  readonly id: string;
  readonly name: string;
  readonly created: number;
  readonly context_length: number | null;
  readonly architecture: {
    readonly input_modalities: readonly string[];
    readonly output_modalities: readonly string[];
    readonly tokenizer: string;
  };
  readonly pricing: { readonly prompt: string; readonly completion: string };
  readonly supported_parameters: readonly string[];
  readonly benchmarks: {
    readonly artificial_analysis: { intelligence_index?: number; coding_index?: number };
  };
}

const perMillion = (price: string) => Number(price) * 1e6;
const near = 1e-9;

/** Each filter said once more, of what a client sees where it can be seen. */
const meanings: Readonly<Record<string, (value: string, seen: Seen, model: Model) => boolean>> = {
  q: (value, { id, name }) => `${id} ${name}`.includes(value),
  category: (value, _, { details }) => details.categories?.includes(value) === true,
  supported_parameters: (value, { supported_parameters: taken }) =>
    value.split(',').every((one) => taken.includes(one)),
  input_modalities: (value, { architecture }) =>
    value.split(',').every((one) => architecture.input_modalities.includes(one)),
  output_modalities: (value, { architecture }) =>
    value === 'all' || value.split(',').some((one) => architecture.output_modalities.includes(one)),
  context: (value, { context_length: context }) => context !== null && context >= Number(value),
  min_price: (value, { pricing }) => perMillion(pricing.prompt) >= Number(value) - near,
  max_price: (value, { pricing }) => perMillion(pricing.prompt) <= Number(value) + near,
  min_output_price: (value, { pricing }) => perMillion(pricing.completion) >= Number(value) - near,
  max_output_price: (value, { pricing }) => perMillion(pricing.completion) <= Number(value) + near,
  arch: (value, { architecture }) => architecture.tokenizer.toLowerCase() === value.toLowerCase(),
  model_authors: (value, { id }) => value.split(',').includes(id.split('/')[0] ?? ''),
  distillable: (value, _, { details }) => String(details.isDistillable) === value,
  min_age_days: (value, { created }) =>
    created > 0 && nowSeconds - created >= Number(value) * 86_400,
  max_age_days: (value, { created }) =>
    created > 0 && nowSeconds - created <= Number(value) * 86_400,
  min_intelligence_index: (value, { benchmarks }) =>
    (benchmarks.artificial_analysis.intelligence_index ?? -1) >= Number(value),
  max_coding_index: (value, { benchmarks }) =>
    (benchmarks.artificial_analysis.coding_index ?? Infinity) <= Number(value),
  max_tool_success_rate: () => false,
  // One endpoint must fulfill them together.
  providers: (value, _, model) => visible(model).some((one) => isOf(one, value)),
  zdr: (_value, _, model) => visible(model).some((one) => !one.dataPolicy.retains),
  region: (value, _, model) => visible(model).some((one) => isIn(one, value)),
};

type Served = Model['endpoints'][number];
const visible = ({ endpoints }: Model) => endpoints.filter(({ isHidden }) => !isHidden);
const isOf = ({ endpoint }: Served, value: string) => value.split(',').includes(endpoint.provider);
const isIn = ({ dataRegion }: Served, value: string) =>
  dataRegion === (value === 'eu' ? 'europe' : 'us');

const listOf = (values: readonly string[]) =>
  fc.subarray([...values], { minLength: 1 }).map((some) => some.join(','));
const price = fc.constantFrom('0', '0.1', '1', '2.5', '3', '1e1');
const parameters = fc
  .record(
    {
      q: fc.constantFrom('a', 'o', 'openai', 'google/'),
      category: fc.constantFrom('programming', 'marketing/seo'),
      supported_parameters: listOf(sampleParameters),
      input_modalities: listOf(['text', 'image', 'audio']),
      output_modalities: fc.oneof(fc.constant('all'), listOf(['text', 'image', 'embeddings'])),
      context: fc.constantFrom('1', '8192', '8193', '1000000'),
      min_price: price,
      max_price: price,
      min_output_price: price,
      max_output_price: price,
      arch: fc.constantFrom('gpt', 'Gemini'),
      model_authors: listOf(['openai', 'google', 'x-ai']),
      providers: listOf(sampleProviders),
      distillable: fc.constantFrom('true', 'false'),
      zdr: fc.constant('true'),
      region: fc.constantFrom('eu', 'us'),
      min_age_days: fc.constantFrom('0', '116', '600'),
      max_age_days: fc.constantFrom('116', '600', '9999'),
      min_intelligence_index: fc.constantFrom('0', '50'),
      max_coding_index: fc.constantFrom('50', '100'),
      max_tool_success_rate: fc.constant('1'),
    },
    { requiredKeys: [] },
  )
  // With all of them nothing is ever left.
  .chain((all) => fc.subarray(Object.entries(all), { maxLength: 3 }))
  .map((some): Readonly<Record<string, string>> => Object.fromEntries(some));

describe('the filters', () => {
  test('show what satisfies every one of them, and leave out only what fails one', () => {
    let [shown, left] = [0, 0];
    fc.assert(
      fc.property(anyModel, parameters, (model, given) => {
        const seen = modelView(model) as Seen;
        const all = { output_modalities: 'text', ...given };
        const said = Object.entries(all).every(([name, value]) =>
          meanings[name]?.(value, seen, model),
        );
        const { providers, zdr, region } = all as Record<string, string | undefined>;
        const isServed = visible(model).some(
          (one) =>
            (providers === undefined || isOf(one, providers)) &&
            (zdr === undefined || !one.dataPolicy.retains) &&
            (region === undefined || isIn(one, region)),
        );
        equal(shows(model, given), said && isServed);
        if (said && isServed) shown++;
        else left++;
      }),
      { numRuns: 3_000, seed: 7 },
    );
    ok(shown > 200 && left > 200, `${shown} were shown, ${left} were not`);
  });

  test('show text models where nothing is said, and all of them where that is asked for', () => {
    const pictures = sampleModel('a/pictures', { outputModalities: ['image'] });
    equal(shows(pictures, {}), false);
    equal(shows(pictures, { output_modalities: 'all' }), true);
    equal(shows(pictures, { output_modalities: 'text,image' }), true);
    equal(shows(sampleModel('a/text'), {}), true);
  });

  test('take a price at its bound exactly', () => {
    const pricing = { prompt: '0.0000001', completion: '0.0000003' };
    const model = sampleModel('a/b', { endpoints: [sampleEndpoint('a/b', 'openai', { pricing })] });
    equal(shows(model, { min_price: '0.1', max_price: '0.1' }), true);
    equal(shows(model, { min_output_price: '0.3', max_output_price: '0.3' }), true);
    equal(shows(model, { max_price: '0.0999999' }), false);
  });

  test('want one endpoint that is all of it, and none that is hidden', () => {
    const dataPolicy = { retains: false, trains: false, publishes: false };
    const endpoints = [
      sampleEndpoint('a/b', 'openai', { dataRegion: 'europe' }),
      sampleEndpoint('a/b', 'groq', { dataPolicy }),
      sampleEndpoint('a/b', 'mistral', { dataPolicy, dataRegion: 'europe', isHidden: true }),
    ];
    const model = sampleModel('a/b', { endpoints });
    equal(shows(model, { zdr: 'true' }), true);
    equal(shows(model, { region: 'eu' }), true);
    equal(shows(model, { zdr: 'true', region: 'eu' }), false);
    equal(shows(model, { providers: 'the groq', zdr: 'true' }), true);
    equal(shows(model, { providers: 'mistral' }), false);
  });
});

describe('a query', () => {
  test('has each value that is none named by its path', () => {
    const filters = parseModelFilters({
      limit: 'ten',
      min_price: '-1',
      max_age_days: 'old',
      sort: 'best',
      region: 'mars',
      zdr: 'no',
    });
    ok(isRejection(filters));
    const { issues } = filters.metadata as { issues: readonly { path: string }[] };
    deepEqual(issues.map(({ path }) => path).toSorted(), [
      'limit',
      'max_age_days',
      'min_price',
      'region',
      'sort',
      'zdr',
    ]);
  });

  test('asks for pages only where it says so', () => {
    equal(filtersOf({}).page, undefined);
    deepEqual(filtersOf({ offset: '3' }).page, { offset: 3, limit: 500 });
    deepEqual(filtersOf({ limit: '3' }).page, { offset: 0, limit: 3 });
  });
});
