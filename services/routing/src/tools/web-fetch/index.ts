import { type ToolPrices, toolWorstNanoUsd } from '@sluice/catalog';
import type { WebFetchSettings } from '@sluice/client-schemas';
import type { Clock } from '@sluice/clock-and-ids';
import { type DomainFilter, parseDomainFilter } from '@sluice/domain-lists';
import type { WebFetcher } from '@sluice/web-fetch';
import { type PageEngineName, pageEngineNames, type PageEngines } from '@sluice/web-search';
import { Type } from 'typebox';
import type { Credential } from '../../credentials/credential.ts';
import { keyedEngines } from '../own-engines.ts';
import {
  errorResult,
  type ServerTool,
  type ToolContext,
  type ToolOffer,
  type ToolResult,
} from '../tool.ts';
import { readHosted } from './read-hosted.ts';

export interface WebFetchOptions {
  readonly clock: Clock;
  /** No page can be fetched if absent. */
  readonly webFetcher?: Pick<WebFetcher, 'fetch'> | undefined;
  /** Other engines that read pages. None if absent. */
  readonly pageEngines?: PageEngines | undefined;
  readonly catalog: { readonly toolPrices: ToolPrices };
}

/** The engine of Sluice itself. */
const service = 'service';

const type = 'service:web_fetch';
const urlCharactersMax = 2_048;
/** The contract's limit of a response (inference.md 5.3). */
const callsMax = 50;
/** For the fetch and the extraction, each of which has a shorter limit of its own. */
const timeoutMs = 30_000;
/** A page of Markdown with quotes and escapes must stay below the limit of a result. */
const tokensMax = 50_000;

/** Returns the tool that reads a page of the web: Sluice itself fetches it, or a hosted engine does. */
export function webFetchTool(options: WebFetchOptions): ServerTool {
  return {
    type,
    timeoutMs,
    callsMax,
    asFunction: () => ({
      description:
        'Reads a page of the web, a PDF or another text by its URL, and returns its content as Markdown.',
      parameters: Type.Object({
        url: Type.String({
          description: 'The URL of the page, with https:// or http://.',
          maxLength: urlCharactersMax,
        }),
      }),
    }),
    offers: (settings, own) => offersOf(settings, own, options),
    opening: ({ url }) => ({ url }),
    run: ({ url }, context) => fetchPage(String(url), options, context),
    replay: ({ url, title, content, error }) => {
      if (typeof url !== 'string') return undefined;
      const output =
        typeof content === 'string'
          ? { url, title, content, status: 'completed' }
          : { url, status: 'failed', error };
      return { arguments: JSON.stringify({ url }), output: JSON.stringify(output) };
    },
  };
}

/** `auto` and `native` are an own key of any engine, or else Sluice itself. An engine that is named alone answers. */
function offersOf(
  { engine }: WebFetchSettings,
  own: readonly Credential[],
  { pageEngines, catalog }: WebFetchOptions,
): readonly ToolOffer[] {
  const asked = engine ?? 'auto';
  const named = pageEngineNames.find((name) => name === asked);
  const isThere = named !== undefined && pageEngines?.names.includes(named) === true;
  const shared = named === undefined ? service : isThere ? named : undefined;
  const usable = own.filter(({ provider }) => named === undefined || provider === named);
  return keyedEngines<PageEngineName | typeof service>({
    asked,
    hosted: pageEngines ? pageEngineNames : [],
    shared,
    own: usable,
  }).flatMap(({ name, credential }) => {
    if (name === service) return [{ engine: service, worstNanoUsd: 0n }];
    const price = catalog.toolPrices.find({ tool: type, engine: name });
    return price ? [{ engine: name, credential, worstNanoUsd: toolWorstNanoUsd(price, {}) }] : [];
  });
}

async function fetchPage(
  url: string,
  options: WebFetchOptions,
  context: ToolContext<WebFetchSettings>,
): Promise<ToolResult> {
  const { settings, uses, engine } = context;
  const usesMax = Math.min(settings.max_uses ?? callsMax, callsMax);
  if (uses >= usesMax) return failed(url, `No more than ${usesMax} pages may be fetched`);
  const domains = domainsOf(settings);
  if (!domains) return failed(url, 'The lists of domains are malformed');
  if (engine.name === '') return failed(url, `The engine ${String(settings.engine)} is not set up`);
  const wanted = {
    tokensMax: Math.min(settings.max_content_tokens ?? tokensMax, tokensMax),
    permits: domains.permits,
  };
  return engine.name === service
    ? await fetchHere(url, options, { ...context, ...wanted })
    : await fetchHosted(url, options, { ...context, ...wanted });
}

interface Wanted {
  readonly tokensMax: number;
  readonly permits: (url: URL) => boolean;
}

async function fetchHere(
  url: string,
  { clock, webFetcher }: WebFetchOptions,
  { principal, signal, tokensMax: tokens, permits }: ToolContext<WebFetchSettings> & Wanted,
): Promise<ToolResult> {
  if (!webFetcher) return failed(url, 'No page can be fetched here');
  const { accountId: account } = principal;
  const page = await webFetcher.fetch({ url, account, tokensMax: tokens, permits, signal });
  if ('error' in page) return failed(url, page.error, page.httpStatus);
  const content = page.isCut ? `${page.content}\n\n[The rest was cut.]` : page.content;
  return fetched({ ...page, content }, clock);
}

async function fetchHosted(
  url: string,
  { clock, pageEngines, catalog }: WebFetchOptions,
  context: ToolContext<WebFetchSettings> & Wanted,
): Promise<ToolResult> {
  const { name, ownKey } = context.engine;
  const engine = pageEngines?.open(name as PageEngineName, ownKey);
  const price = catalog.toolPrices.find({ tool: type, engine: name });
  if (!engine || !price) return failed(url, `The engine ${name} is not set up`);
  const page = await readHosted({ ...context, url, engine, price });
  const { charge } = page;
  if ('error' in page)
    return { ...failed(url, page.error), charge, isEngineAtFault: page.isEngineAtFault };
  return { ...fetched(page, clock), charge };
}

interface Fetched {
  readonly url: string;
  readonly title: string;
  readonly content: string;
  readonly httpStatus?: number;
}

function fetched({ url, title, content, httpStatus }: Fetched, clock: Clock): ToolResult {
  const retrieved_at = clock.now().toISOString();
  return {
    output: JSON.stringify({ url, title, content, status: 'completed', retrieved_at }),
    item: { url, title, content, ...(httpStatus !== undefined && { httpStatus }) },
    sources: [{ url, title: title || url, content }],
  };
}

function failed(url: string, error: string, httpStatus?: number): ToolResult {
  return {
    ...errorResult(error, { url, error, ...(httpStatus !== undefined && { httpStatus }) }),
    output: JSON.stringify({ url, status: 'failed', error }),
  };
}

/** Returns the rule for a URL and each target of a redirect. */
const domainsOf = ({
  allowed_domains: allowed,
  blocked_domains: blocked,
}: WebFetchSettings): DomainFilter | undefined => parseDomainFilter(allowed ?? [], blocked ?? []);
