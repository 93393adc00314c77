import { openAiChat } from '@sluice/providers';
import fc from 'fast-check';
import { inputModalities, outputModalities, type CatalogEndpoint, type Model } from '../catalog.ts';
import { endpointRow, modelRow } from '../rows.ts';

/** An endpoint that is never called. */
export function sampleEndpoint(
  modelId: string,
  provider: string,
  facts: Partial<CatalogEndpoint> = {},
): CatalogEndpoint {
  const { pricing = { prompt: '0.000001', completion: '0.000002' }, ...more } = facts;
  const endpoint = {
    provider,
    dialect: 'openai-chat' as const,
    baseUrl: 'http://127.0.0.1:1/v1',
    apiKey: undefined,
    upstreamModel: 'any',
    chat: openAiChat,
  };
  return endpointRow(modelId, endpoint, pricing, { providerName: `The ${provider}`, ...more });
}

export function sampleModel(id: string, facts: Partial<Model> = {}): Model {
  return { ...modelRow({ id, endpoints: [sampleEndpoint(id, 'openai')], ...facts }), ...facts };
}

export const sampleParameters = ['temperature', 'tools', 'tool_choice', 'seed'] as const;
export const sampleProviders = ['openai', 'groq', 'mistral'] as const;
const prices = ['0', '0.0000001', '0.000001', '0.0000025', '0.00001'] as const;
const index = fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined });

function endpointOf(id: string): fc.Arbitrary<CatalogEndpoint> {
  return fc
    .record({
      provider: fc.constantFrom(...sampleProviders),
      supportedParameters: fc.subarray([...sampleParameters]).map((names) => new Set(names)),
      prompt: fc.constantFrom(...prices),
      completion: fc.constantFrom(...prices),
      retains: fc.boolean(),
      dataRegion: fc.constantFrom('global', 'europe', 'us'),
      isHidden: fc.boolean(),
      tier: fc.constantFrom('default', 'flex'),
    })
    .map(({ provider, prompt, completion, retains, ...facts }) =>
      sampleEndpoint(id, provider, {
        ...facts,
        tag: `${provider}/${facts.dataRegion}`,
        pricing: { prompt, completion },
        dataPolicy: { retains, trains: false, publishes: false },
      }),
    );
}

/** Models of all kinds that somebody answers for; nothing else of them need be known. */
export const anyModel: fc.Arbitrary<Model> = fc
  .tuple(fc.constantFrom('openai', 'google', 'x-ai'), fc.stringMatching(/^[a-z][a-z0-9-]{0,6}$/))
  .chain(([author, name]) => {
    const id = `${author}/${name}`;
    return fc.record({
      id: fc.constant(id),
      name: fc.constant(`${author}: ${name}`),
      created: fc.constantFrom(0, 1_700_000_000, 1_750_000_000, 1_790_000_000),
      contextLength: fc.constantFrom(undefined, 8_192, 128_000, 1_000_000),
      inputModalities: fc.subarray([...inputModalities], { minLength: 1 }),
      outputModalities: fc.subarray([...outputModalities], { minLength: 1 }),
      endpoints: fc.array(endpointOf(id), { minLength: 1, maxLength: 3 }),
      details: fc.record({
        tokenizer: fc.constantFrom('GPT', 'Gemini', 'Grok'),
        isDistillable: fc.boolean(),
        categories: fc.subarray(['programming', 'marketing/seo', 'legal']),
        benchmarks: fc.tuple(index, index, index).map(([intelligence, coding, elo]) => ({
          artificial_analysis: { intelligence_index: intelligence, coding_index: coding },
          design_arena: elo === undefined ? [] : [{ elo }],
        })),
      }),
    });
  })
  .map(({ endpoints: [first, ...others], ...row }) => ({
    ...modelRow({ ...row, endpoints: first ? [{ ...first, isHidden: false }, ...others] : [] }),
    ...row,
  }));
