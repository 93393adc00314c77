import { parsePriceAttoUsd } from '@sluice/inference';
import { quantizations } from '@sluice/catalog';
import {
  type Preferences,
  type PriceCaps,
  sortKeys,
  type Thresholds,
} from '../../request/preferences.ts';
import { Fields, isObject } from './fields.ts';
import type { Issues } from './issues.ts';
import type { RequestDefaults } from '../../policy/policy.ts';
import { parseModels } from './parse-models.ts';
import { strings } from './strings.ts';

const namesMax = 100;
const nameCharactersMax = 128;
const measureMax = 1_000_000;
const perMillion = 1_000_000n;
const decimalsOfNumbers = 12;

const providerFields: ReadonlySet<string> = new Set([
  'order',
  'allow_fallbacks',
  'require_parameters',
  'data_collection',
  'zdr',
  'enforce_distillable_text',
  'only',
  'ignore',
  'quantizations',
  'sort',
  'preferred_min_throughput',
  'preferred_max_latency',
  'max_price',
]);

const routes = ['fallback', 'sort'] as const;
const nobody: readonly string[] = [];

/** `model`, `models`, `provider`, `route` and `service_tier`: whom a client wants to be tried, and how. */
export function parsePreferences(
  body: Fields,
  issues: Issues,
  defaults: RequestDefaults,
): Preferences {
  const provider = providerOf(body, issues);
  const sort = provider && parseSort(provider, issues);
  const route = body.oneOf('route', routes);
  const partition = sort?.partition ?? (route === 'sort' ? 'none' : 'model');
  const tier = body.value('service_tier');
  return {
    models: parseModels(body, issues, defaults.model),
    order: provider && names(provider, 'order'),
    only: provider && names(provider, 'only'),
    ignore: (provider && names(provider, 'ignore')) ?? nobody,
    allowsFallbacks: provider?.boolean('allow_fallbacks') ?? true,
    requiresParameters: provider?.boolean('require_parameters') ?? false,
    deniesDataCollection: provider?.oneOf('data_collection', ['allow', 'deny']) === 'deny',
    demandsZeroRetention: provider?.boolean('zdr') ?? false,
    demandsDistillable: provider?.boolean('enforce_distillable_text') ?? false,
    quantizations: provider && parseQuantizations(provider),
    sort: sort?.by,
    defaultSort: defaults.sort,
    mixesModels: partition === 'none',
    throughputMin: provider && parseThresholds(provider, 'preferred_min_throughput', issues),
    latencyMax: provider && parseThresholds(provider, 'preferred_max_latency', issues),
    priceMax: provider && parsePriceMax(provider, issues),
    wantsPro: wantsPro(body.value('reasoning')),
    tier: tierOf(tier),
    isDefaultTierOnly: tier === 'default',
  };
}

/** undefined: nothing is said of providers, which is the usual. */
function providerOf(body: Fields, issues: Issues): Fields | undefined {
  const object = body.object('provider');
  if (!object) return undefined;
  const provider = new Fields(object, { path: 'provider', issues });
  for (const name of Object.keys(object))
    if (!providerFields.has(name)) provider.refuse(name, 'there is no such preference');
  return provider;
}

/** The value itself is checked where the options of the model are read. */
function wantsPro(reasoning: unknown): boolean {
  return isObject(reasoning) && reasoning['mode'] === 'pro';
}

/** The value itself is checked where the options of the model are read. */
function tierOf(value: unknown): Preferences['tier'] {
  if (value === 'fast') return 'priority';
  return value === 'priority' || value === 'ultrafast' || value === 'flex' ? value : undefined;
}

/** An empty list asks for nothing. */
function names(provider: Fields, name: string): readonly string[] | undefined {
  const bounds = { countMax: namesMax, charactersMax: nameCharactersMax };
  const found = strings(provider, name, bounds);
  if (!found || found.length === 0) return undefined;
  return [...new Set(found.map((one) => one.toLowerCase()))];
}

function parseQuantizations(provider: Fields): Preferences['quantizations'] {
  const array = provider.array('quantizations', namesMax);
  if (!array || array.length === 0) return undefined;
  const known = array.map((value) => quantizations.find((one) => one === value));
  const wrong = known.indexOf(undefined);
  if (wrong >= 0)
    return provider.refuse(
      `quantizations[${String(wrong)}]`,
      `must be one of ${quantizations.join(', ')}`,
    );
  return known.filter((one) => one !== undefined);
}

function parseSort(
  provider: Fields,
  issues: Issues,
): { readonly by: Preferences['sort']; readonly partition: 'model' | 'none' | undefined } {
  if (typeof provider.value('sort') === 'string')
    return { by: provider.oneOf('sort', sortKeys), partition: undefined };
  const sort = provider.object('sort');
  if (!sort) return { by: undefined, partition: undefined };
  const fields = new Fields(sort, { path: 'provider.sort', issues });
  return {
    by: fields.oneOf('by', sortKeys),
    partition: fields.oneOf('partition', ['model', 'none']),
  };
}

/** A number is that of the median. */
function parseThresholds(provider: Fields, name: string, issues: Issues): Thresholds | undefined {
  const bounds = { min: 0, max: measureMax };
  if (typeof provider.value(name) === 'number') {
    const p50 = provider.number(name, bounds);
    return p50 === undefined ? undefined : { p50 };
  }
  const object = provider.object(name);
  if (!object) return undefined;
  const fields = new Fields(object, { path: `provider.${name}`, issues });
  const thresholds: Record<string, number> = {};
  for (const percentile of ['p50', 'p75', 'p90', 'p99']) {
    const value = fields.number(percentile, bounds);
    if (value !== undefined) thresholds[percentile] = value;
  }
  return thresholds;
}

function parsePriceMax(provider: Fields, issues: Issues): PriceCaps | undefined {
  const object = provider.object('max_price');
  if (!object) return undefined;
  const fields = new Fields(object, { path: 'provider.max_price', issues });
  const cap = (name: string, per: bigint) => {
    const price = priceOf(fields, name);
    return price === undefined ? undefined : price / per;
  };
  const [prompt, completion] = [cap('prompt', perMillion), cap('completion', perMillion)];
  const [image, audio, request] = [cap('image', 1n), cap('audio', 1n), cap('request', 1n)];
  return {
    ...(prompt === undefined ? {} : { promptAttoUsd: prompt }),
    ...(completion === undefined ? {} : { completionAttoUsd: completion }),
    ...(image === undefined ? {} : { imageAttoUsd: image }),
    ...(audio === undefined ? {} : { audioAttoUsd: audio }),
    ...(request === undefined ? {} : { requestAttoUsd: request }),
  };
}

/** USD, as a decimal string or a number, in atto-USD. */
function priceOf(fields: Fields, name: string): bigint | undefined {
  const value = fields.value(name);
  if (value === undefined) return undefined;
  const text =
    typeof value === 'number' && value >= 0 && value < measureMax
      ? value.toFixed(decimalsOfNumbers)
      : value;
  const price = typeof text === 'string' ? parsePriceAttoUsd(text) : undefined;
  return price ?? fields.refuse(name, 'must be a price in USD such as "1.5"');
}
