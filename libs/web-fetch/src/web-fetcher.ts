import { createDocumentReader, type DocumentReader } from '@sluice/document-text';
import { type Egress, isEgressFailure } from '@sluice/egress';

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

/** Creates a fetcher. Its threads start with the first page. */
export function createWebFetcher(options: WebFetcherOptions): WebFetcher {
  const documents = createDocumentReader({ readMs: options.extractMs });
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
        return await fetchPage(request, options, documents);
      } finally {
        count -= 1;
        const left = (pages.get(account) ?? 1) - 1;
        if (left === 0) pages.delete(account);
        else pages.set(account, left);
      }
    },
    stop: () => documents.stop(),
  };
}

async function fetchPage(
  request: PageRequest,
  options: WebFetcherOptions,
  documents: DocumentReader,
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
  const read = await documents.read({
    source: reply.body,
    contentType: reply.headers['content-type'] ?? '',
    url: reply.url,
    tokensMax: request.tokensMax ?? tokensDefaultMax,
    account: request.account,
    signal,
  });
  if ('error' in read) return { error: read.error, httpStatus };
  const { title, content, isCut } = read;
  return { url: reply.url, httpStatus, title, content, isCut };
}
