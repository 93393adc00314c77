import { type ToolPrice, toolCostNanoUsd } from '@sluice/catalog';
import type { PageEngine, PageOutcome, PageProblem } from '@sluice/web-search';
import type { ToolCharge } from '../tool.ts';

/** A page that another engine reads for us. */
export interface HostedRead {
  readonly url: string;
  readonly engine: PageEngine;
  readonly price: ToolPrice;
  readonly tokensMax: number;
  readonly permits: (url: URL) => boolean;
  readonly signal: AbortSignal;
  /** The name of the call in the books. */
  readonly usageId: string;
}

export type HostedPage =
  | {
      readonly url: string;
      readonly title: string;
      readonly content: string;
      readonly charge: ToolCharge;
    }
  | { readonly error: string; readonly charge: ToolCharge; readonly isEngineAtFault: boolean };

const charactersPerToken = 4;
const nothing: ToolCharge = { costNanoUsd: 0n };

/** Problems of the engine and its key, for which it asks nothing. */
const enginesFaults: ReadonlySet<PageProblem> = new Set([
  'rejected_key',
  'rate_limited',
  'engine_failed',
]);

/** Reads a page with an engine. The lists of domains hold before the call, and for the page that answers. */
export async function readHosted(read: HostedRead): Promise<HostedPage> {
  const { url, engine, price, tokensMax, permits, signal, usageId } = read;
  const address = URL.parse(url);
  if (!address || !/^https?:$/.test(address.protocol)) return refused('The URL is not of the web');
  if (!permits(address)) return refused('The URL is not permitted');
  const options = { signal, charactersMax: tokensMax * charactersPerToken, requestId: usageId };
  const outcome = await engine.read(address.href, options);
  if (!outcome.isRead) return failedPage(outcome);
  const { page, upstreamId } = outcome;
  const counts = { fetches: 1 };
  const charge = { costNanoUsd: toolCostNanoUsd(price, counts), counts, upstreamId };
  const final = URL.parse(page.url);
  if (!final || !permits(final))
    return {
      error: 'The page leads to a URL that is not permitted',
      charge,
      isEngineAtFault: false,
    };
  return { ...page, charge };
}

function refused(error: string): HostedPage {
  return { error, charge: nothing, isEngineAtFault: false };
}

function failedPage({
  problem,
  message,
  mayBeBilled,
}: PageOutcome & { readonly isRead: false }): HostedPage {
  return {
    error: message,
    charge: mayBeBilled ? { costNanoUsd: 'unknown' } : nothing,
    isEngineAtFault: enginesFaults.has(problem),
  };
}
