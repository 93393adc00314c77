import {
  type Dialect,
  dialects,
  embeddableModalities,
  rankableModalities,
  type Endpoint,
  sayableModalities,
  unsayableParameters,
} from '@sluice/providers';
import { derivedId } from '@sluice/clock-and-ids';
import type { CatalogEndpoint, InputModality, Model, OutputModality, Pricing } from './catalog.ts';
import { pricesOf, timedPricesOf } from './pricing.ts';
import type { Provider } from './providers.ts';

/** The parameters that an endpoint may say to support. */
export const parameterNames = [
  'max_tokens',
  'temperature',
  'top_p',
  'top_k',
  'frequency_penalty',
  'presence_penalty',
  'repetition_penalty',
  'min_p',
  'top_a',
  'logit_bias',
  'seed',
  'stop',
  'prediction',
  'top_logprobs',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'response_format',
  'structured_outputs',
  'reasoning',
  'verbosity',
] as const;
/** The parameters of an endpoint that names none: all that its dialect can express. */
const usualParameters = new Map(
  dialects.map((dialect): [Dialect, ReadonlySet<string>] => {
    const unsayable: readonly string[] = unsayableParameters[dialect];
    return [dialect, new Set(parameterNames.filter((name) => !unsayable.includes(name)))];
  }),
);

/** Facts of an endpoint that differ from the usual. */
export type EndpointFacts = Partial<
  Omit<CatalogEndpoint, 'id' | 'endpoint' | 'prices' | 'pricesAt' | 'pricing'>
>;

/** Returns the tag of an endpoint of the file: its provider, and what tells it from its siblings there. */
export function endpointTag(row: {
  readonly provider: string;
  readonly tier?: string | undefined;
  readonly variant?: string | undefined;
}): string {
  const { provider, tier = 'default', variant } = row;
  const suffix = variant ?? (tier === 'default' ? undefined : tier);
  return suffix === undefined ? provider : `${provider}/${suffix}`;
}

/** Returns the id of an endpoint: the same in every process, whatever its prices are. */
export function endpointId(
  modelId: string,
  { provider, upstreamModel, tag }: Pick<Endpoint, 'provider' | 'upstreamModel'> & { tag: string },
): string {
  const variant = tag === provider ? [] : [tag];
  return derivedId('endpoint', modelId, provider, upstreamModel, ...variant);
}

/** An endpoint of a model, with what is not said as careful as it must be: prompts are kept. */
export function endpointRow(
  modelId: string,
  endpoint: Endpoint,
  pricing: Pricing,
  facts: EndpointFacts = {},
): CatalogEndpoint {
  const { provider, upstreamModel } = endpoint;
  const tag = facts.tag ?? provider;
  const pricesAt = timedPricesOf(pricing);
  return {
    id: endpointId(modelId, { provider, upstreamModel, tag }),
    endpoint,
    prices: pricesOf(pricing),
    ...(pricesAt && { pricesAt }),
    pricing,
    providerName: provider,
    tier: 'default',
    quantization: 'unknown',
    contextLength: undefined,
    promptTokensMax: undefined,
    outputTokensMax: undefined,
    outputModalities: ['text'],
    supportedParameters: parametersOf(endpoint.dialect, facts),
    dataPolicy: { retains: true, trains: false, publishes: false },
    dataRegion: 'global',
    isHidden: false,
    isByokOnly: false,
    isModerated: false,
    cachesImplicitly: pricing.input_cache_read !== undefined,
    ...facts,
    inputModalities: sayable(endpoint.dialect, facts),
    tag,
  };
}

/** A model that only makes vectors or ranks has none of the parameters of answers. */
function parametersOf(dialect: Dialect, facts: EndpointFacts): ReadonlySet<string> {
  if (makesOnly('embeddings', facts) || makesOnly('rerank', facts)) return new Set();
  return usualParameters.get(dialect) ?? new Set(parameterNames);
}

function makesOnly(modality: OutputModality, { outputModalities = ['text'] }: EndpointFacts) {
  return outputModalities.every((one) => one === modality);
}

/** Returns the modalities that the dialect can express: of the given ones, or of all. */
function sayable(dialect: Dialect, facts: EndpointFacts): readonly InputModality[] {
  const all = modalitiesOf(facts)[dialect];
  const { inputModalities: said } = facts;
  return said ? said.filter((one) => all.includes(one)) : all;
}

function modalitiesOf(facts: EndpointFacts): Readonly<Record<Dialect, readonly InputModality[]>> {
  if (makesOnly('embeddings', facts)) return embeddableModalities;
  return makesOnly('rerank', facts) ? rankableModalities : sayableModalities;
}

/** An endpoint at a provider, which is reached and trusted as that is. */
export function providerEndpoint(
  modelId: string,
  provider: Provider,
  row: {
    readonly upstreamModel: string;
    readonly pricing: Pricing;
    readonly facts?: EndpointFacts;
    readonly nativeTools?: Endpoint['nativeTools'];
  },
): CatalogEndpoint {
  const { slug, name, dialect, baseUrl, apiKey, chat, keepsAnswers = false } = provider;
  const { isByokOnly = false, cancelsStreams = false, dataPolicy } = provider;
  const { hasFunctionsOnly = false, authorities } = provider;
  const { upstreamModel, nativeTools } = row;
  const address = { baseUrl, apiKey, ...(authorities !== undefined && { authorities }) };
  const reached = { provider: slug, dialect, ...address, upstreamModel, chat };
  const tools = { hasFunctionsOnly, ...(nativeTools && { nativeTools }) };
  const endpoint = { ...reached, keepsAnswers, cancelsStreams, ...tools };
  return endpointRow(modelId, endpoint, row.pricing, {
    providerName: name,
    isByokOnly,
    ...(dataPolicy && { dataPolicy }),
    ...row.facts,
  });
}

type Derived = 'inputModalities' | 'outputModalities';

/**
 * A model of such endpoints; what is not said is not known. It takes and answers with what one of its visible
 * endpoints does: the lists show what routing enforces.
 */
export function modelRow(
  row: Pick<Model, 'id' | 'endpoints'> & Partial<Omit<Model, Derived>>,
): Model {
  const visible = row.endpoints.filter(({ isHidden }) => !isHidden);
  const shown = visible.length > 0 ? visible : row.endpoints;
  return {
    canonicalSlug: row.id,
    name: row.id,
    description: '',
    created: 0,
    contextLength: undefined,
    outputTokensMax: undefined,
    isReasoning: false,
    reasoning: undefined,
    isHidden: false,
    inputModalities: union(shown.map((one) => one.inputModalities)),
    outputModalities: union(shown.map((one) => one.outputModalities)),
    details: {},
    aliases: [],
    ...row,
    endpoints: row.endpoints.map((each) => withEfforts(each, row.reasoning?.efforts)),
  };
}

function union<Value>(lists: readonly (readonly Value[])[]): readonly Value[] {
  return [...new Set(lists.flat())];
}

/** An endpoint supports the reasoning efforts of its model. */
function withEfforts(endpoint: CatalogEndpoint, efforts: Endpoint['efforts']): CatalogEndpoint {
  return efforts ? { ...endpoint, endpoint: { ...endpoint.endpoint, efforts } } : endpoint;
}
