import { type Egress, isEgressFailure } from '@sluice/egress';
import { createWorkerPool, type WorkerPool } from '@sluice/worker-pool';
import type { ExtractTask, Extracted } from './extract-work.ts';

export interface PageRequest {
  readonly url: string;
  /** The account that asks. Accounts take turns in the threads. */
  readonly account: string;
  /** Tokens of the content, roughly. Longer content is cut. */
  readonly tokensMax?: number | undefined;
  /** The caller's rule for the URL and each target of a redirect. */
  readonly permits?: ((url: URL) => boolean) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface FetchedPage {
  /** The URL that answered, after redirects. */
  readonly url: string;
  readonly title: string;
  /** Markdown of a page, or the text as it is. */
  readonly content: string;
  /** True: the content is longer than the caller wants. */
  readonly isCut: boolean;
  readonly httpStatus: number;
}

export interface FetchFailure {
  /** A sentence for the model. */
  readonly error: string;
  readonly httpStatus?: number;
}

/** Fetches pages that models and clients name, and returns their text. */
export interface WebFetcher {
  /** The promise never rejects. */
  fetch(request: PageRequest): Promise<FetchedPage | FetchFailure>;
  stop(): Promise<void>;
}

export interface WebFetcherOptions {
  /** Reaches public addresses only. The fetcher does not stop it. */
  readonly egress: Egress;
  /** For a page, from the look-up to its last byte. 10 s if absent. */
  readonly timeoutMs?: number;
  /** Decoded bytes of a page. 10 MB if absent. */
  readonly bytesMax?: number;
  /** Processor time of the extraction. 5 s if absent. */
  readonly extractMs?: number;
}

const redirectsMax = 5;
const timeoutDefaultMs = 10_000;
const bytesDefaultMax = 10_000_000;
const extractDefaultMs = 5_000;
const extractMemoryMb = 256;
const extractPlaces = 2;
/** Tokens of a page if the caller has no bound. A page of 10 MB would fill every model. */
const tokensDefaultMax = 50_000;
/** Pages in progress, each of which may hold 10 MB. */
const pagesMax = 48;
const pagesPerAccountMax = 16;

const headers = {
  accept: 'text/markdown, text/html, application/xhtml+xml, text/plain, application/pdf, */*;q=0.5',
  'accept-language': 'en, *;q=0.5',
  'user-agent': 'Mozilla/5.0 (compatible; Sluice web_fetch)',
};
const extractModule = new URL('extract-work.ts', import.meta.url);

/** Creates a fetcher. Its threads start with the first page. */
export function createWebFetcher(options: WebFetcherOptions): WebFetcher {
  const pool = createWorkerPool({
    deadlineMs: options.extractMs ?? extractDefaultMs,
    memoryMbMax: extractMemoryMb,
    places: extractPlaces,
    slowPlaces: 1,
  });
  const pages = new Map<string, number>();
  let count = 0;
  return {
    fetch: async (request) => {
      const { account } = request;
      const own = pages.get(account) ?? 0;
      if (count >= pagesMax || own >= pagesPerAccountMax)
        return { error: 'Too many pages are being fetched. Try again later' };
      count += 1;
      pages.set(account, own + 1);
      try {
        return await fetchPage(request, options, pool);
      } finally {
        count -= 1;
        const left = (pages.get(account) ?? 1) - 1;
        if (left === 0) pages.delete(account);
        else pages.set(account, left);
      }
    },
    stop: () => pool.stop(),
  };
}

async function fetchPage(
  request: PageRequest,
  options: WebFetcherOptions,
  pool: WorkerPool,
): Promise<FetchedPage | FetchFailure> {
  const { egress, timeoutMs = timeoutDefaultMs, bytesMax = bytesDefaultMax } = options;
  const { url, permits, signal } = request;
  const reply = await egress.send({
    url,
    headers,
    redirectsMax,
    bytesMax,
    timeoutMs,
    signal,
    ...(permits && { permits }),
  });
  if (isEgressFailure(reply)) return { error: reply.message };
  const { status: httpStatus } = reply;
  if (httpStatus >= 400 || httpStatus < 200 || httpStatus === 204)
    return { error: `The server answered with status ${httpStatus}`, httpStatus };
  const task: ExtractTask = {
    bytes: reply.body,
    contentType: reply.headers['content-type'] ?? '',
    url: reply.url,
    tokensMax: request.tokensMax ?? tokensDefaultMax,
  };
  const outcome = await pool.run<Extracted>({
    account: request.account,
    module: extractModule,
    input: task,
    signal,
  });
  if (typeof outcome === 'string') return { error: poolErrors[outcome], httpStatus };
  const { result } = outcome;
  if ('error' in result) return { ...result, httpStatus };
  return { url: reply.url, httpStatus, ...result };
}

const poolErrors = {
  late: 'The page takes too long to read',
  busy: 'Too many pages are being read. Try again later',
  broken: 'The page could not be read',
};
