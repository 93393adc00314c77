import { parseDomainFilter } from '@sluice/domain-lists';
import type { EngineAdapter, StatedResult } from './adapter.ts';
import { toldLists } from './domains.ts';
import { adapters } from './engines/index.ts';
import { type Dial, exchange, type ExchangeProblem } from './exchange.ts';
import type {
  EngineName,
  SearchEngine,
  SearchOptions,
  SearchOutcome,
  SearchProblem,
  SearchSettings,
} from './search.ts';
import { keyHeaders } from './key-headers.ts';
import { takeResults } from './take-results.ts';

export interface EngineOptions {
  readonly name: EngineName;
  /** Replaces the address of the engine. Required for a self-hosted one. */
  readonly baseUrl?: string;
  readonly key?: { reveal(): string };
  /** The bound of one search, all its pages together. Deep modes get four times as long. */
  readonly deadlineMs?: number;
  /** The bound of one answer. */
  readonly answerBytesMax?: number;
  readonly dial?: Dial;
}

const deadlineMsDefault = 15_000;
const deepDeadlineFactor = 4;
/** The caller gives a search a little more. */
const deepDeadlineMsMax = 70_000;
const answerBytesMaxDefault = 16 * 1_048_576;

/** Creates an engine from its adapter. Throws if an address is missing or a key cannot be a header. */
export function createSearchEngine(options: EngineOptions): SearchEngine {
  const { name, deadlineMs = deadlineMsDefault, answerBytesMax = answerBytesMaxDefault } = options;
  const adapter = adapters[name];
  const baseUrl = options.baseUrl ?? adapter.baseUrl;
  if (baseUrl === undefined) throw new Error(`the address of ${name} is missing`);
  const headers = keyHeaders(adapter, options);
  const dial = options.dial ?? fetch;

  async function pages(query: string, settings: SearchSettings, options: SearchOptions) {
    const { signal, requestId } = options;
    const stated: StatedResult[] = [];
    let upstreamId: string | undefined;
    for (let page = 1; page <= (adapter.pagesMax ?? 1); page += 1) {
      const request = adapter.request(query, settings, page);
      const got = await exchange(request, {
        dial,
        baseUrl: baseUrl ?? '',
        headers: {
          ...headers,
          ...(requestId !== undefined && { 'x-client-request-id': requestId }),
        },
        bytesMax: answerBytesMax,
        signal,
      });
      const found = 'answer' in got ? adapter.read(got.answer) : got;
      // Results of earlier pages are as good without the later ones.
      if (page > 1 && (!found || 'problem' in found)) break;
      if (!found) return { problem: 'invalid_answer' } as const;
      if ('problem' in found) return found;
      stated.push(...found);
      if ('answer' in got) upstreamId = adapter.idOf?.(got.answer);
      if (found.length === 0 || stated.length >= settings.maxResults) break;
    }
    return { stated, upstreamId };
  }

  return {
    name,
    isReachable: (signal) => answers(baseUrl, dial, signal),
    async search(query, asked, { signal, requestId }) {
      const wanted = cutQuery(query, adapter.queryMax);
      const refused = refusalOf(wanted, asked, adapter);
      if (refused) return failed(name, { problem: refused });
      const domains = parseDomainFilter(asked.allowedDomains, asked.excludedDomains);
      if (!domains) return failed(name, { problem: 'invalid_domain' });
      const settings = {
        ...asked,
        ...toldLists(domains),
        maxResults: Math.min(asked.maxResults, adapter.resultsMax),
      };
      const isDeep = asked.mode?.startsWith('deep') === true;
      const late = AbortSignal.timeout(
        isDeep ? Math.min(deadlineMs * deepDeadlineFactor, deepDeadlineMsMax) : deadlineMs,
      );
      const found = await pages(wanted, settings, {
        signal: AbortSignal.any([signal, late]),
        ...(requestId !== undefined && { requestId }),
      });
      if (signal.aborted) return failed(name, { problem: 'canceled' });
      if ('problem' in found) return failed(name, late.aborted ? { problem: 'timeout' } : found);
      const { stated, upstreamId } = found;
      return {
        isFound: true,
        engine: name,
        results: takeResults(stated, adapter, settings, domains).slice(0, settings.maxResults),
        billedResults: Math.min(stated.length, settings.maxResults),
        ...(upstreamId !== undefined && { upstreamId }),
      };
    },
  };
}

/** Asks without a key. */
async function answers(baseUrl: string, dial: Dial, signal: AbortSignal): Promise<boolean> {
  try {
    const reply = await dial(baseUrl, { method: 'HEAD', headers: {}, redirect: 'manual', signal });
    await reply.body?.cancel();
    return true;
  } catch {
    return false;
  }
}

function cutQuery(query: string, lengthMax: number): string {
  return query
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, lengthMax)
    .toWellFormed();
}

function refusalOf(
  query: string,
  { allowedDomains, excludedDomains }: SearchSettings,
  { domainsMax }: EngineAdapter,
): SearchProblem | undefined {
  if (query === '') return 'invalid_query';
  const isTooMany = Math.max(allowedDomains.length, excludedDomains.length) > domainsMax;
  return isTooMany ? 'too_many_domains' : undefined;
}

const sentences: Readonly<Record<SearchProblem, string>> = {
  canceled: 'the search was canceled',
  invalid_query: 'the query is empty',
  invalid_domain: 'a domain of the lists is malformed',
  too_many_domains: 'the search engine takes fewer domains in a filter',
  unreachable: 'the search engine cannot be reached',
  timeout: 'the search engine did not answer in time',
  rejected_key: 'the search engine rejected the request or its key',
  rate_limited: 'the search engine has a limit that is reached',
  rejected: 'the search engine rejected the request',
  engine_failed: 'the search engine failed',
  invalid_answer: 'the search engine returned an invalid answer',
  answer_too_large: 'the answer of the search engine is too large',
};

/** Problems after which nobody knows what the engine has done. */
const unsettled: readonly SearchProblem[] = [
  'canceled',
  'unreachable',
  'timeout',
  'invalid_answer',
  'answer_too_large',
];

function failed(engine: EngineName, { problem, status }: ExchangeProblem): SearchOutcome {
  const code = status === undefined ? '' : ` (HTTP ${String(status)})`;
  return {
    isFound: false,
    engine,
    problem,
    message: `${engine}: ${sentences[problem]}${code}`,
    mayBeBilled: unsettled.includes(problem),
  };
}
