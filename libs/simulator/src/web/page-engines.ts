import { BadRequest, type JsonObject } from '../prompt.ts';
import { findPage, type Page } from './corpus.ts';
import type { AskedSearch, SimulatedEngine } from './engine.ts';
import { listAt, numberAt, objectAt, knowsOnly, textAt } from './fields.ts';
import { exa, firecrawl, parallel } from './keyed-engines.ts';

const asking = (url: string, characters: number): AskedSearch => ({
  query: url,
  limit: 1,
  allowed: [],
  excluded: [],
  characters,
});

function onlyUrl(body: JsonObject): string {
  const [url, ...others] = listAt(body, 'urls');
  if (url === undefined || others.length > 0) throw new BadRequest('urls has one URL');
  return url;
}

/** Finds the page of an address. Directives stand in its fragment. */
function pagesAt({ query }: AskedSearch): readonly Page[] {
  const url = URL.parse(query);
  const page = url && findPage(url.hostname, url.pathname);
  return page ? [page] : [];
}

const cutText = ({ text }: Page, { characters }: AskedSearch) => text.slice(0, characters);

const exaContents: SimulatedEngine = {
  name: 'exa',
  method: 'POST',
  path: '/exa/contents',
  read(_parameters, body) {
    knowsOnly(body, ['urls', 'text']);
    return asking(onlyUrl(body), numberAt(objectAt(body, 'text'), 'maxCharacters', 10_000, 1e6));
  },
  find: pagesAt,
  answer: (requestId, asked, [page]) => ({
    requestId,
    results: page
      ? [{ id: page.url, title: page.title, url: page.url, text: cutText(page, asked) }]
      : [],
    statuses: [
      page
        ? { id: asked.query, status: 'success', source: 'cached' }
        : {
            id: asked.query,
            status: 'error',
            error: { tag: 'CRAWL_NOT_FOUND', httpStatusCode: 404 },
          },
    ],
    costDollars: { total: 0.001 },
  }),
  error: (id, status, message) => exa.error(id, status, message),
};

const parallelExtract: SimulatedEngine = {
  name: 'parallel',
  method: 'POST',
  path: '/parallel/v1beta/extract',
  read(_parameters, body) {
    knowsOnly(body, ['urls', 'excerpts', 'full_content']);
    const whole = objectAt(body, 'full_content');
    return asking(onlyUrl(body), numberAt(whole, 'max_chars_per_result', 1e6, 1e6));
  },
  find: pagesAt,
  answer: (id, asked, [page]) => ({
    extract_id: `extract_${id}`,
    results: page
      ? [{ url: page.url, title: page.title, excerpts: [], full_content: cutText(page, asked) }]
      : [],
    errors: page
      ? []
      : [{ url: asked.query, error_type: 'fetch_error', http_status_code: 404, content: '' }],
    warnings: null,
  }),
  error: (id, status, message) => parallel.error(id, status, message),
};

const firecrawlScrape: SimulatedEngine = {
  name: 'firecrawl',
  method: 'POST',
  path: '/firecrawl/v2/scrape',
  read(_parameters, body) {
    knowsOnly(body, ['url', 'formats', 'onlyMainContent']);
    return asking(textAt(body, 'url'), 1e6);
  },
  find: pagesAt,
  answer: (_id, { query }, [page]) => ({
    success: true,
    data: {
      markdown: page?.text ?? 'Not found',
      metadata: { title: page?.title ?? '', url: query, statusCode: page ? 200 : 404 },
    },
  }),
  error: (id, status, message) => firecrawl.error(id, status, message),
};

/** The parts of the engines' APIs that read pages. */
export const pageEngines: readonly SimulatedEngine[] = [
  exaContents,
  parallelExtract,
  firecrawlScrape,
];
