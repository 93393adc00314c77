import { nativeToolKinds } from '@sluice/providers';
import type { ListedModel, PriceList } from '@sluice/price-list';
import type { Model } from '../catalog.ts';
import type { Provider } from '../providers.ts';
import { modelRow, providerEndpoint } from '../rows.ts';
import { authorFamilies } from './authors.ts';
import type { Family, FamilyFacts } from './family.ts';
import { hostFamilies } from './hosts.ts';

const families: Readonly<Record<string, readonly Family[]>> = {
  ...authorFamilies,
  ...hostFamilies,
};

/**
 * Returns the models of the providers that are on: those of known families, at the list price of an instant. A model
 * of several providers has an endpoint at each, in the order of the providers.
 */
export function knownModels(
  providers: Iterable<Provider>,
  prices: PriceList,
  instant: Date,
): readonly Model[] {
  const models = new Map<string, Model>();
  for (const provider of providers)
    for (const listed of prices.models(provider.slug, instant)) {
      const family = families[provider.slug]?.find(({ names }) => isOf(names, listed.name));
      if (!family) continue;
      const model = modelOf(provider, listed, family);
      const known = models.get(model.id);
      models.set(model.id, known ? joined(known, model) : model);
    }
  return [...models.values()];
}

function isOf(names: Family['names'], name: string): boolean {
  return typeof names === 'string' ? names === name : names.test(name);
}

function modelOf(provider: Provider, listed: ListedModel, family: Family): Model {
  const { facts } = family;
  const { name, contextLength = facts.contextLength } = listed;
  const id = family.id(name);
  const upstream = family.upstream?.(name) ?? name;
  const { inputModalities = ['text'], outputTokensMax, isReasoning = false } = facts;
  const endpoint = providerEndpoint(id, provider, {
    upstreamModel: upstream,
    pricing: listed.pricing,
    // A provider with a price for searches makes them.
    ...(listed.pricing.web_search !== undefined && { nativeTools: nativeToolKinds }),
    facts: {
      contextLength,
      outputTokensMax,
      inputModalities,
      outputModalities: ['text'],
      supportedParameters: new Set(facts.parameters),
      ...(facts.quantization && { quantization: facts.quantization }),
    },
  });
  return modelRow({
    id,
    // A host has titles of its own for models of others.
    name: Object.hasOwn(authorFamilies, provider.slug)
      ? `${provider.name}: ${listed.title ?? name}`
      : id,
    created: createdOf(name, facts),
    contextLength,
    outputTokensMax,
    isReasoning,
    reasoning: typeof facts.reasoning === 'function' ? facts.reasoning(name) : facts.reasoning,
    details: detailsOf(id),
    endpoints: [endpoint],
  });
}

/** The families of tokenizers, by who made the model. */
const tokenizers: ReadonlyMap<string, string> = new Map([
  ['anthropic', 'Claude'],
  ['cohere', 'Cohere'],
  ['deepseek', 'DeepSeek'],
  ['google', 'Gemini'],
  ['meta-llama', 'Llama'],
  ['mistralai', 'Mistral'],
  ['openai', 'GPT'],
  ['qwen', 'Qwen'],
  ['x-ai', 'Grok'],
]);

function detailsOf(id: string): Model['details'] {
  const tokenizer = tokenizers.get(id.slice(0, id.indexOf('/')));
  return tokenizer === undefined ? {} : { tokenizer };
}

function createdOf(name: string, { released = {} }: FamilyFacts): number {
  const day = released[name];
  return day === undefined ? 0 : Date.parse(day) / 1_000;
}

/** The first one tells what the model is, each what its own endpoint is. */
function joined(first: Model, other: Model): Model {
  return modelRow({
    ...first,
    contextLength: larger(first.contextLength, other.contextLength),
    outputTokensMax: larger(first.outputTokensMax, other.outputTokensMax),
    endpoints: [...first.endpoints, ...other.endpoints],
  });
}

function larger(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}
