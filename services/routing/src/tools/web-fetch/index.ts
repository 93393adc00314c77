import type { WebFetchSettings } from '@sluice/client-schemas';
import type { Clock } from '@sluice/clock-and-ids';
import { type DomainRules, parseDomains, type WebFetcher } from '@sluice/web-fetch';
import { Type } from 'typebox';
import { errorResult, type ServerTool, type ToolContext, type ToolResult } from '../tool.ts';

export interface WebFetchOptions {
  readonly clock: Clock;
  /** No page can be fetched if absent. */
  readonly webFetcher?: Pick<WebFetcher, 'fetch'> | undefined;
}

const urlCharactersMax = 2_048;
/** The contract's limit of a response (inference.md 5.3). */
const callsMax = 50;
/** For the fetch and the extraction, each of which has a shorter limit of its own. */
const timeoutMs = 30_000;
/** A page of Markdown with quotes and escapes must stay below the limit of a result. */
const tokensMax = 50_000;

/** Returns the tool that reads a page of the web. Sluice fetches the page itself, whatever the engine. */
export function webFetchTool(options: WebFetchOptions): ServerTool {
  return {
    type: 'service:web_fetch',
    timeoutMs,
    callsMax,
    engine: () => 'service',
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
    worstCost: () => 0n,
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

async function fetchPage(
  url: string,
  { clock, webFetcher }: WebFetchOptions,
  { settings, uses, principal, signal }: ToolContext<WebFetchSettings>,
): Promise<ToolResult> {
  if (!webFetcher) return failed(url, 'No page can be fetched here');
  const usesMax = Math.min(settings.max_uses ?? callsMax, callsMax);
  if (uses >= usesMax) return failed(url, `No more than ${usesMax} pages may be fetched`);
  const permits = permitsOf(settings);
  if (!permits) return failed(url, 'The lists of domains are malformed');
  const page = await webFetcher.fetch({
    url,
    account: principal.accountId,
    tokensMax: Math.min(settings.max_content_tokens ?? tokensMax, tokensMax),
    permits,
    signal,
  });
  if ('error' in page) return failed(url, page.error, page.httpStatus);
  const { url: finalUrl, title, httpStatus } = page;
  const content = page.isCut ? `${page.content}\n\n[The rest was cut.]` : page.content;
  const retrieved_at = clock.now().toISOString();
  return {
    output: JSON.stringify({ url: finalUrl, title, content, status: 'completed', retrieved_at }),
    item: { url: finalUrl, title, content, httpStatus },
    sources: [{ url: finalUrl, title: title ?? finalUrl, content }],
  };
}

function failed(url: string, error: string, httpStatus?: number): ToolResult {
  return {
    ...errorResult(error, { url, error, ...(httpStatus !== undefined && { httpStatus }) }),
    output: JSON.stringify({ url, status: 'failed', error }),
  };
}

/** Returns the rule for a URL and each target of a redirect. */
function permitsOf({
  allowed_domains: allowed,
  blocked_domains: blocked,
}: WebFetchSettings): ((url: URL) => boolean) | undefined {
  let only: DomainRules | undefined;
  let never: DomainRules;
  try {
    only = allowed && allowed.length > 0 ? parseDomains(allowed) : undefined;
    never = parseDomains(blocked ?? []);
  } catch {
    return undefined;
  }
  return (url) => !never.includes(url) && (only?.includes(url) ?? true);
}
