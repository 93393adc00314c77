import { deepEqual, equal, ok } from 'node:assert/strict';
import { type ListedModel, listedProviders, loadPriceList } from '@sluice/price-list';
import { describe, test } from 'vitest';
import type { Model } from '../catalog.ts';
import { builtInProviders } from '../providers.ts';
import { parameterNames } from '../rows.ts';
import { authorFamilies } from './authors.ts';
import { hostFamilies } from './hosts.ts';
import { knownModels } from './known-models.ts';

const prices = await loadPriceList();
const instant = new Date('2026-11-21T12:00:00Z');
const switchedOn = (...slugs: readonly string[]) =>
  builtInProviders((name) => (name === 'SLUICE_BYOK_PROVIDERS' ? slugs.join(',') : undefined));
const all = knownModels(switchedOn(...listedProviders), prices, instant);
const known = (id: string, models: readonly Model[] = all): Model => {
  const model = models.find((one) => one.id === id);
  ok(model, id);
  return model;
};

describe('known models', () => {
  test('are those of the providers that are on, and of no other', () => {
    deepEqual(knownModels([], prices, instant), []);
    const providers = new Set(
      knownModels(switchedOn('anthropic', 'groq', 'azure'), prices, instant)
        .flatMap(({ endpoints }) => endpoints)
        .map(({ endpoint }) => endpoint.provider),
    );
    deepEqual([...providers], ['anthropic', 'groq']);
  });

  test('are some of every provider that the list of prices has', () => {
    for (const slug of listedProviders)
      ok(knownModels(switchedOn(slug), prices, instant).length > 0, slug);
    deepEqual(
      Object.keys({ ...authorFamilies, ...hostFamilies }).toSorted(),
      listedProviders.toSorted(),
    );
  });

  test('have each an id of their own, a price and parameters that the lists know', () => {
    equal(new Set(all.map(({ id }) => id)).size, all.length);
    const ids = all.flatMap(({ endpoints }) => endpoints.map(({ id }) => id));
    equal(new Set(ids).size, ids.length);
    for (const { id, endpoints } of all) {
      ok(/^[a-z0-9-]+\/[a-z0-9.-]+$/.test(id), id);
      for (const { prices: its, supportedParameters } of endpoints) {
        ok(its.inputTokenAttoUsd > 0n && its.outputTokenAttoUsd > 0n, id);
        ok([...supportedParameters].every((name) => parameterNames.some((one) => one === name)));
        ok(supportedParameters.has('max_tokens'));
      }
    }
  });

  test('have the prices of the list: in a cache, written to it, spoken, above a bound, at an hour', () => {
    const [claude] = known('anthropic/claude-sonnet-4-5').endpoints;
    equal(claude?.endpoint.nativeTools?.includes('web_search'), true);
    deepEqual(claude?.pricing, {
      prompt: '0.000003',
      completion: '0.000015',
      input_cache_read: '0.0000003',
      input_cache_write: '0.00000375',
      input_cache_write_1h: '0.000006',
      web_search: '0.01',
      overrides: [
        {
          min_prompt_tokens: 200_000,
          prompt: '0.000006',
          completion: '0.0000225',
          input_cache_read: '0.0000006',
          input_cache_write: '0.0000075',
          input_cache_write_1h: '0.000012',
        },
      ],
    });
    equal(claude.prices.tiers?.[0]?.prices.inputTokenAttoUsd, 6n * 10n ** 12n);
    equal(known('google/gemini-2.5-flash').endpoints[0]?.pricing.audio, '0.000001');
    ok(known('deepseek/deepseek-v4-pro').endpoints[0]?.pricesAt);
  });

  test('that several providers serve have an endpoint at each, with its own name, limits and precision', () => {
    const { endpoints, contextLength } = known('meta-llama/llama-4-maverick');
    deepEqual(
      endpoints.map(({ tag, endpoint, quantization }) => [
        tag,
        endpoint.upstreamModel,
        quantization,
      ]),
      [
        ['groq', 'meta-llama/llama-4-maverick-17b-128e-instruct', 'unknown'],
        ['together', 'meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8', 'fp8'],
        ['fireworks', 'accounts/fireworks/models/llama4-maverick-instruct-basic', 'unknown'],
      ],
    );
    equal(contextLength, 1_000_000);
    equal(endpoints[0]?.contextLength, 131_072);
  });

  test('are of the family of their author', () => {
    const family = (id: string) => known(id).details.tokenizer;
    deepEqual(
      [family('openai/gpt-oss-20b'), family('anthropic/claude-opus-5'), family('z-ai/glm-5.2')],
      ['GPT', 'Claude', undefined],
    );
  });

  test('of a family that nobody knows are left out', () => {
    const priced = (name: string): ListedModel => ({
      name,
      title: undefined,
      contextLength: undefined,
      pricing: { prompt: '1', completion: '2' },
    });
    const list = { models: () => ['gpt-4o', 'gpt-4o-audio-preview', 'sora', 'gpt-5'].map(priced) };
    deepEqual(
      knownModels(switchedOn('openai'), list, instant).map(({ id }) => id),
      ['openai/gpt-4o', 'openai/gpt-5'],
    );
  });
});

describe('what is known of a family', () => {
  test.each([
    ['openai/gpt-4.1', undefined, { temperature: true, reasoning: false, verbosity: false }],
    [
      'openai/gpt-5',
      ['high', 'medium', 'low', 'minimal'],
      { temperature: false, reasoning: true, verbosity: true },
    ],
    [
      'openai/gpt-5.2',
      ['xhigh', 'high', 'medium', 'low', 'none'],
      { temperature: false, reasoning: true },
    ],
    [
      'openai/o3',
      ['high', 'medium', 'low'],
      { temperature: false, reasoning: true, verbosity: false },
    ],
    ['openai/gpt-oss-120b', ['high', 'medium', 'low'], { temperature: true, reasoning: true }],
    ['anthropic/claude-sonnet-4-5', undefined, { temperature: true, top_k: true, reasoning: true }],
    ['anthropic/claude-sonnet-4-0', undefined, { structured_outputs: false, tools: true }],
    ['anthropic/claude-opus-4-8', undefined, { temperature: false, top_k: false, reasoning: true }],
    ['google/gemini-2.5-pro', undefined, { temperature: true, top_k: true, reasoning: true }],
    ['mistralai/mistral-large-2512', undefined, { temperature: true, reasoning: false }],
    ['x-ai/grok-4-0709', undefined, { presence_penalty: false, reasoning: false }],
  ] as const)('%s: its efforts and parameters', (id, efforts, parameters) => {
    const model = known(id);
    deepEqual(model.reasoning?.efforts, efforts);
    const [endpoint] = model.endpoints;
    deepEqual(endpoint?.endpoint.efforts, efforts);
    for (const [name, isTaken] of Object.entries(parameters))
      equal(endpoint?.supportedParameters.has(name), isTaken, name);
  });

  test('who cannot do without a thought, and who takes a number of tokens for it', () => {
    const isMandatory = (id: string) => known(id).reasoning?.isMandatory;
    const takesBudget = (id: string) => known(id).reasoning?.takesBudget;
    deepEqual(
      ['openai/gpt-5', 'openai/gpt-5.1', 'google/gemini-2.5-pro', 'google/gemini-2.5-flash'].map(
        isMandatory,
      ),
      [true, false, true, false],
    );
    deepEqual(
      [
        'openai/gpt-5',
        'anthropic/claude-haiku-4-5',
        'anthropic/claude-opus-4-7',
        'google/gemini-2.5-pro',
      ].map(takesBudget),
      [false, true, false, true],
    );
    // Nothing is known of how it thinks: what is asked for is passed on.
    deepEqual(
      [known('openai/gpt-6-sol').isReasoning, known('openai/gpt-6-sol').reasoning],
      [true, undefined],
    );
  });
});
