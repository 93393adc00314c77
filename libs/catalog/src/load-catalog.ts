import { listedProviders, type PriceList } from '@sluice/price-list';
import { compatibleChat, type ChatOptions, type Endpoint } from '@sluice/providers';
import { Secret } from '@sluice/boot';
import {
  createCatalog,
  type Catalog,
  type Model,
  type OpenAuthor,
  type CatalogEndpoint,
  type Pricing,
} from './catalog.ts';
import {
  type CatalogFile,
  type FileModel,
  type FileProvider,
  InvalidCatalog,
  parseCatalogFile,
} from './file.ts';
import { knownModels } from './known/known-models.ts';
import { builtInProviders, type Provider, type Settings } from './providers.ts';
import { pricingProblem } from './pricing.ts';
import { reasoningOf, reasoningProblem } from './reasoning.ts';
import { type EndpointFacts, endpointTag, modelRow, providerEndpoint } from './rows.ts';
import { routerModelsOf, routerProblems } from './router-models.ts';
import { simulatorModels } from './simulator-models.ts';
import { toolPricesOf } from './tool-prices.ts';

export interface CatalogSources {
  /** Base URL with the version; undefined: no `sim/…` models. */
  readonly simulatorUrl: string | undefined;
  /** The text of the catalog file, or what is in it, when there is one. */
  readonly file: string | CatalogFile | undefined;
  /** At what prices, and of which instant, providers bring the models that we know; absent: they bring none. */
  readonly list?: { readonly prices: PriceList; readonly instant: Date } | undefined;
  /** Keys and addresses of providers, also of those that the file names. */
  readonly settings: Settings;
  /** The certificates in PEM of each `ca_file` of the file, by its path. */
  readonly certificates?: ReadonlyMap<string, string> | undefined;
}

const unknownCreation = 0;

/** Returns true if an enabled provider has a published list of models. Throws InvalidCatalog. */
export function areModelsKnown(settings: Settings): boolean {
  return knownProviders(settings).some(({ slug }) => listedProviders.includes(slug));
}

/** Built-in rows, overlaid by the file: its provider or model of the same name wins. */
export function loadCatalog(sources: CatalogSources): Catalog {
  const { file: written = {} } = sources;
  const file = typeof written === 'string' ? parseCatalogFile(written) : written;
  const problems: string[] = [];
  const builtIn = new Map(knownProviders(sources.settings).map((row) => [row.slug, row]));
  const providers = new Map(builtIn);
  const fromFile = new Set<string>();
  for (const [index, row] of (file.providers ?? []).entries()) {
    if (fromFile.has(row.slug)) problems.push(`providers[${index}].slug: ${row.slug} comes twice`);
    fromFile.add(row.slug);
    const provider = fileProvider(row, sources);
    if (typeof provider === 'string') problems.push(`providers[${index}].${provider}`);
    else providers.set(row.slug, provider);
    // The file says which models answer there.
    builtIn.delete(row.slug);
  }
  const simulator =
    sources.simulatorUrl === undefined ? undefined : simulatorModels(sources.simulatorUrl);
  const models = new Map<string, Model>();
  const { list } = sources;
  const known = list ? knownModels(builtIn.values(), list.prices, list.instant) : [];
  for (const model of [...(simulator?.models ?? []), ...known]) models.set(model.id, model);
  const seen = new Set<string>();
  for (const [index, row] of (file.models ?? []).entries()) {
    if (seen.has(row.id)) problems.push(`models[${index}].id: ${row.id} comes twice`);
    seen.add(row.id);
    const model = fileModel(row, providers);
    if (Array.isArray(model)) problems.push(...model.map((text) => `models[${index}].${text}`));
    else models.set(row.id, model);
  }
  problems.push(...aliasProblems([...models.values()]));
  if (problems.length > 0) throw new InvalidCatalog(problems);
  const catalog = createCatalog(
    [...models.values()],
    [...(simulator ? [simulator.openAuthor] : []), ...localModels(providers)],
    [...providers.values()].map(({ slug, name, facts }) => ({ slug, name, ...facts })),
    toolPricesOf(file.tool_prices),
    routerModelsOf(file.routers),
  );
  const missing = routerProblems(file.routers ?? {}, (id) => catalog.find(id) !== undefined);
  if (missing.length > 0) throw new InvalidCatalog(missing);
  return catalog;
}

/** One alias is of one model, unless it means the latest of several; and a model has its id to itself. */
function aliasProblems(models: readonly Model[]): readonly string[] {
  const ids = new Set(models.map(({ id }) => id));
  const seen = new Set<string>();
  const problems: string[] = [];
  for (const { id, aliases } of models)
    for (const alias of aliases) {
      if (ids.has(alias)) problems.push(`models: the alias ${alias} of ${id} is a model`);
      else if (!alias.startsWith('~') && seen.has(alias))
        problems.push(`models: the alias ${alias} comes twice`);
      seen.add(alias);
    }
  return problems;
}

function knownProviders(settings: Settings): readonly Provider[] {
  try {
    return builtInProviders(settings);
  } catch (error) {
    throw new InvalidCatalog([(error as Error).message]);
  }
}

function fileProvider(
  row: FileProvider,
  { settings, certificates }: Pick<CatalogSources, 'settings' | 'certificates'>,
): Provider | string {
  const value = row.api_key_env === undefined ? undefined : settings(row.api_key_env);
  if (row.api_key_env !== undefined && (value === undefined || value === ''))
    return `api_key_env: ${row.api_key_env} is not set`;
  const authorities = row.ca_file === undefined ? undefined : certificates?.get(row.ca_file);
  if (row.ca_file !== undefined && !authorities?.includes('-----BEGIN CERTIFICATE-----'))
    return `ca_file: ${row.ca_file} is no readable file of certificates in PEM`;
  return {
    slug: row.slug,
    name: row.name,
    dialect: row.dialect,
    baseUrl: row.base_url.replace(/\/+$/, ''),
    apiKey: value === undefined ? undefined : new Secret(value),
    ...(authorities !== undefined && { authorities }),
    isLocal: false,
    keepsAnswers: row.keeps_answers ?? false,
    cancelsStreams: row.cancels_streams ?? false,
    hasFunctionsOnly: row.functions_only ?? false,
    isByokOnly: row.byok_only ?? false,
    dataPolicy: row.data_policy,
    facts: {
      privacyPolicyUrl: row.privacy_policy_url,
      termsOfServiceUrl: row.terms_of_service_url,
      statusPageUrl: row.status_page_url,
      headquarters: row.headquarters,
      datacenters: row.datacenters,
    },
    chat: chatOptions(row.chat),
  };
}

function chatOptions(chat: FileProvider['chat'] = {}): ChatOptions {
  const { output_limit_field, developer_role, one_system_message, thoughts_field } = chat;
  return {
    ...compatibleChat,
    ...(output_limit_field && { outputLimitField: output_limit_field }),
    ...(developer_role && { developerRole: developer_role }),
    ...(one_system_message && { takesOneSystemMessage: true }),
    ...(thoughts_field && { thoughtsField: thoughts_field }),
  };
}

function fileModel(row: FileModel, providers: ReadonlyMap<string, Provider>): Model | string[] {
  const endpoints: CatalogEndpoint[] = [];
  const problems: string[] = [];
  const ids = new Set<string>();
  for (const [index, written] of row.endpoints.entries()) {
    const { provider } = written;
    const known = providers.get(provider);
    if (known) {
      const endpoint = fileEndpoint(row.id, known, written);
      if (typeof endpoint === 'string') {
        problems.push(`endpoints[${index}].${endpoint}`);
        continue;
      }
      if (ids.has(endpoint.id))
        problems.push(`endpoints[${index}]: it is the same as another one: give it a variant`);
      ids.add(endpoint.id);
      endpoints.push(endpoint);
    } else problems.push(`endpoints[${index}].provider: ${provider} is not switched on`);
  }
  const doubt = reasoningProblem(row.reasoning);
  if (doubt !== undefined) problems.push(`reasoning.${doubt}`);
  if (problems.length > 0) return problems;
  return modelRow({
    id: row.id,
    name: row.name ?? row.id,
    description: row.description ?? '',
    created: row.created ?? unknownCreation,
    contextLength: row.context_length,
    outputTokensMax: row.max_output_tokens,
    ...reasoningOf(row.reasoning),
    isHidden: row.hidden ?? false,
    canonicalSlug: row.canonical_slug ?? row.id,
    aliases: row.aliases ?? [],
    details: detailsOf(row),
    endpoints,
  });
}

function detailsOf(row: FileModel): Model['details'] {
  const { tokenizer, hugging_face_id, knowledge_cutoff, expiration_date } = row;
  const { instruct_type, default_parameters, benchmarks } = row;
  return {
    ...(instruct_type !== undefined && { instructType: instruct_type }),
    ...(default_parameters && { defaultParameters: default_parameters }),
    ...(benchmarks && { benchmarks }),
    ...(tokenizer !== undefined && { tokenizer }),
    ...(hugging_face_id !== undefined && { huggingFaceId: hugging_face_id }),
    ...(knowledge_cutoff !== undefined && { knowledgeCutoff: knowledge_cutoff }),
    ...(expiration_date !== undefined && { expirationDate: expiration_date }),
    ...(row.distillable !== undefined && { isDistillable: row.distillable }),
    ...(row.categories !== undefined && { categories: row.categories }),
  };
}

const text = ['text'];

function fileEndpoint(
  modelId: string,
  provider: Provider,
  row: FileModel['endpoints'][number],
): CatalogEndpoint | string {
  const problem = pricingProblem(row.pricing);
  if (problem !== undefined) return `pricing.${problem}`;
  const { tier = 'default' } = row;
  const facts: EndpointFacts = {
    tag: endpointTag(row),
    tier: tier as CatalogEndpoint['tier'],
    quantization: (row.quantization ?? 'unknown') as CatalogEndpoint['quantization'],
    contextLength: row.context_length,
    promptTokensMax: row.max_prompt_tokens,
    outputTokensMax: row.max_output_tokens,
    // An endpoint without modalities takes text alone, for the lists and for requests.
    inputModalities: (row.input_modalities ?? text) as CatalogEndpoint['inputModalities'],
    outputModalities: (row.output_modalities ?? text) as CatalogEndpoint['outputModalities'],
    ...(row.supported_parameters && { supportedParameters: new Set(row.supported_parameters) }),
    ...(row.data_policy && { dataPolicy: row.data_policy }),
    ...(row.data_region && { dataRegion: row.data_region as CatalogEndpoint['dataRegion'] }),
    isHidden: row.hidden ?? false,
    isModerated: row.moderated ?? false,
  };
  const { upstream_model: upstreamModel, pricing } = row;
  const nativeTools = row.native_tools as Endpoint['nativeTools'];
  return providerEndpoint(modelId, provider, { upstreamModel, pricing, facts, nativeTools });
}

/** Returns the providers of the operator's own machine. Their models cost nothing and are not known beforehand. */
function localModels(providers: ReadonlyMap<string, Provider>): readonly OpenAuthor[] {
  const free: Pricing = { prompt: '0', completion: '0' };
  // Nothing tells models of answers from models of vectors.
  const facts: EndpointFacts = { outputModalities: ['text', 'embeddings'] };
  return [...providers.values()]
    .filter(({ isLocal }) => isLocal)
    .map((provider) => ({
      author: provider.slug,
      model: (name) => {
        const id = `${provider.slug}/${name}`;
        const row = { upstreamModel: name, pricing: free, facts };
        const endpoints = [providerEndpoint(id, provider, row)];
        return modelRow({ id, name: `${provider.name}: ${name}`, isHidden: true, endpoints });
      },
    }));
}
