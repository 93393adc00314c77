import { type Env, type Config, loadConfig, secret } from '@sluice/boot';
import {
  createPageEngine,
  createSearchEngine,
  createSearchEngines,
  type EngineName,
  pageEngineNames,
  type PageEngines,
  type SearchEngine,
  type SearchEngines,
  type SearchKey,
  viaProxy,
} from '@sluice/web-search';
import { switchingSettings } from '@sluice/providers';
import { Type } from 'typebox';
import { loadProxy } from './proxy-config.ts';

export { type PageEngineName, pageEngineNames, type SearchEngine } from '@sluice/web-search';

const url = Type.String({
  // A name and a password in the address would show in errors.
  pattern: '^https?://[^\\s@?#]+$',
});
const key = (engine: string) => Type.Optional(secret(`The key for ${engine}`));
const address = Type.Optional(
  Type.With(url, { description: 'Replaces the address of the engine' }),
);

const schema = Type.Object({
  SLUICE_SEARXNG_URL: Type.Optional(
    Type.With(url, { description: 'A SearXNG instance that allows the format json' }),
  ),
  EXA_API_KEY: key('Exa'),
  EXA_BASE_URL: address,
  PARALLEL_API_KEY: key('Parallel'),
  PARALLEL_BASE_URL: address,
  FIRECRAWL_API_KEY: key('Firecrawl'),
  FIRECRAWL_BASE_URL: address,
  PERPLEXITY_API_KEY: key('Perplexity'),
  PERPLEXITY_BASE_URL: address,
  TAVILY_API_KEY: key('Tavily'),
  TAVILY_BASE_URL: address,
  BRAVE_API_KEY: key('Brave Search'),
  BRAVE_BASE_URL: address,
  SLUICE_WEB_SEARCH_TIMEOUT_MS: Type.Integer({ default: 15_000, minimum: 100, maximum: 60_000 }),
  SLUICE_SIMULATOR_URL: Type.Optional(url),
});

type Settings = Config<typeof schema>;

interface Opened {
  readonly key?: SearchKey | undefined;
  readonly baseUrl?: string | undefined;
}

/** The hosted engines, each with its key and the address that replaces its own. */
function hostedBy(settings: Settings) {
  return {
    exa: { key: settings.EXA_API_KEY, baseUrl: settings.EXA_BASE_URL },
    parallel: { key: settings.PARALLEL_API_KEY, baseUrl: settings.PARALLEL_BASE_URL },
    firecrawl: { key: settings.FIRECRAWL_API_KEY, baseUrl: settings.FIRECRAWL_BASE_URL },
    perplexity: { key: settings.PERPLEXITY_API_KEY, baseUrl: settings.PERPLEXITY_BASE_URL },
    tavily: { key: settings.TAVILY_API_KEY, baseUrl: settings.TAVILY_BASE_URL },
    brave: { key: settings.BRAVE_API_KEY, baseUrl: settings.BRAVE_BASE_URL },
  } as const satisfies Partial<Record<EngineName, Opened>>;
}

/** The engines that the environment opens. A hosted engine is opened by its key. */
function openedBy(settings: Settings): readonly (readonly [EngineName, Opened])[] {
  const { SLUICE_SEARXNG_URL: searxng, SLUICE_SIMULATOR_URL: simulator } = settings;
  const hosted = Object.entries(hostedBy(settings)) as [EngineName, Opened][];
  return [
    ...(searxng === undefined ? [] : [['searxng', { baseUrl: searxng }] as const]),
    ...hosted.filter(([, { key: given }]) => given !== undefined),
    ...(simulator === undefined
      ? []
      : [['simulator', { baseUrl: new URL('/searxng', simulator).href }] as const]),
  ];
}

/** Invented pages are for a first try. True models do not get them, unless the operator wants the simulator. */
export function isSimulatedWebWanted(env: Env): boolean {
  const isAlone = [...switchingSettings, 'SLUICE_CATALOG'].every((name) => !env[name]);
  return isAlone || env['SLUICE_SIMULATOR'] === 'on';
}

function withoutSimulator(settings: Settings, env: Env): Settings {
  if (isSimulatedWebWanted(env)) return settings;
  const { SLUICE_SIMULATOR_URL: _left, ...rest } = settings;
  return rest;
}

/** Returns the search engines that the environment opens. Throws InvalidConfig. */
export function loadSearchEngines(env: Env): readonly SearchEngine[] {
  const settings = withoutSimulator(loadConfig(schema, env), env);
  const open = openerOf(env, settings);
  return openedBy(settings).map(([name, opened]) => open(name, opened));
}

/** Returns the search engines of the environment, and opens further ones with keys of customers. */
export function openSearchEngines(env: Env): SearchEngines {
  const settings = loadConfig(schema, env);
  const open = openerOf(env, settings);
  const hosted: Partial<Record<EngineName, Opened>> = hostedBy(settings);
  return createSearchEngines(loadSearchEngines(env), (name, key) =>
    open(name, { key, baseUrl: hosted[name]?.baseUrl }),
  );
}

/** Returns the engines that read pages, with the same keys and addresses. Throws InvalidConfig. */
export function openPageEngines(env: Env): PageEngines {
  const settings = loadConfig(schema, env);
  const { SLUICE_WEB_SEARCH_TIMEOUT_MS: deadlineMs } = settings;
  const dial = viaProxy(loadProxy(env));
  const hosted = hostedBy(settings);
  return {
    names: pageEngineNames.filter((name) => hosted[name].key !== undefined),
    open(name, ownKey) {
      const { key: platforms, baseUrl } = hosted[name];
      const used = ownKey ?? platforms;
      return used && createPageEngine({ name, key: used, baseUrl, deadlineMs, dial });
    },
  };
}

function openerOf(env: Env, { SLUICE_WEB_SEARCH_TIMEOUT_MS: deadlineMs }: Settings) {
  const dial = viaProxy(loadProxy(env));
  return (name: EngineName, { key: given, baseUrl }: Opened) =>
    createSearchEngine({
      name,
      dial,
      deadlineMs,
      ...(given && { key: given }),
      ...(baseUrl !== undefined && { baseUrl }),
    });
}
