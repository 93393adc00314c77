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

export type FileRequest = Pick<PageRequest, 'url' | 'account' | 'signal'>;

export interface FetchedFile {
  /** The URL that answered, after redirects. */
  readonly url: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** Fetches pages that models and clients name, and returns their text. The promises never reject. */
export interface WebFetcher {
  fetch(request: PageRequest): Promise<FetchedPage | FetchFailure>;
  /** Fetches a file as it is. */
  fetchFile(request: FileRequest, bytesMax: number): Promise<FetchedFile | FetchFailure>;
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
  async function inBounds<Fetched>(
    { account }: FileRequest,
    fetch: () => Promise<Fetched>,
  ): Promise<Fetched | FetchFailure> {
    const own = pages.get(account) ?? 0;
    if (count >= pagesMax || own >= pagesPerAccountMax)
      return { error: 'Too many pages are being fetched. Try again later' };
    count += 1;
    pages.set(account, own + 1);
    try {
      return await fetch();
    } finally {
      count -= 1;
      const left = (pages.get(account) ?? 1) - 1;
      if (left === 0) pages.delete(account);
      else pages.set(account, left);
    }
  }
  return {
    fetch: (request) => inBounds(request, () => fetchPage(request, options, documents)),
    fetchFile: (request, bytesMax) =>
      inBounds(request, () => fetchBytes(request, { ...options, bytesMax })),
    stop: () => documents.stop(),
  };
}

async function fetchPage(
  request: PageRequest,
  options: WebFetcherOptions,
  documents: DocumentReader,
): Promise<FetchedPage | FetchFailure> {
  const reply = await fetchBytes(request, options);
  if ('error' in reply) return reply;
  const { url, bytes: source, contentType, httpStatus } = reply;
  const { signal } = request;
  const read = await documents.read({
    source,
    contentType,
    url,
    tokensMax: request.tokensMax ?? tokensDefaultMax,
    account: request.account,
    signal,
  });
  if ('error' in read) return { error: read.error, httpStatus };
  const { title, content, isCut } = read;
  return { url, httpStatus, title, content, isCut };
}

async function fetchBytes(
  { url, permits, signal }: FileRequest & Pick<PageRequest, 'permits'>,
  { egress, timeoutMs = timeoutDefaultMs, bytesMax = bytesDefaultMax }: WebFetcherOptions,
): Promise<(FetchedFile & { readonly httpStatus: number }) | FetchFailure> {
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
  const { status: httpStatus, body: bytes } = reply;
  if (httpStatus >= 400 || httpStatus < 200 || httpStatus === 204)
    return { error: `The server answered with status ${httpStatus}`, httpStatus };
  const contentType = reply.headers['content-type'] ?? '';
  return { url: reply.url, bytes, contentType, httpStatus };
}
