import { BadRequest } from '../prompt.ts';
import { excerptOf, type SimulatedEngine } from './engine.ts';
import { readSites } from './fields.ts';

const pageSize = 10;

/** SearXNG: an instance that allows the format `json`. */
export const searxng: SimulatedEngine = {
  name: 'searxng',
  method: 'GET',
  path: '/searxng/search',
  isOpen: true,
  read(parameters) {
    const query = parameters.get('q') ?? '';
    if (query === '') throw new BadRequest('No query');
    if (parameters.get('format') !== 'json') throw new BadRequest('the format is not allowed');
    const { words, allowed, excluded } = readSites(query);
    const offset = (Number(parameters.get('pageno') ?? 1) - 1) * pageSize;
    return { query: words, allowed, excluded, limit: pageSize, offset };
  },
  answer: (_id, { query }, pages) => ({
    query,
    number_of_results: 0,
    results: pages.map((page, at) => ({
      url: page.url,
      title: page.title,
      content: excerptOf(page, 1_000),
      thumbnail: '',
      engine: 'corpus',
      template: 'default.html',
      parsed_url: ['http', page.host, page.path, '', '', ''],
      img_src: '',
      priority: '',
      engines: ['corpus'],
      positions: [at + 1],
      score: 1 / (at + 1),
      category: 'general',
      publishedDate: `${page.published}T00:00:00`,
    })),
    answers: [],
    corrections: [],
    infoboxes: [],
    suggestions: [],
    unresponsive_engines: [],
  }),
  error: (_id, status, message) => ({ error: { code: status, message } }),
};

const countMax = 20;
const codes: Readonly<Record<number, string>> = {
  401: 'SUBSCRIPTION_TOKEN_INVALID',
  422: 'VALIDATION',
  429: 'RATE_LIMITED',
};

/** Brave Search. */
export const brave: SimulatedEngine = {
  name: 'brave',
  method: 'GET',
  path: '/brave/res/v1/web/search',
  read(parameters) {
    const query = parameters.get('q') ?? '';
    if (query === '' || query.length > 400) throw new BadRequest('q has 1 to 400 characters');
    const limit = Number(parameters.get('count') ?? countMax);
    if (!(limit >= 1 && limit <= countMax)) throw new BadRequest(`count is at most ${countMax}`);
    const { words, allowed, excluded } = readSites(query);
    const isWhole = parameters.get('extra_snippets') === 'true';
    return { query: words, allowed, excluded, limit, isWhole };
  },
  answer: (_id, { query, isWhole = false }, pages) => ({
    query: { original: query, show_strict_warning: false, more_results_available: false },
    mixed: { type: 'mixed', main: pages.map((_, index) => ({ type: 'web', index, all: false })) },
    type: 'search',
    web: {
      type: 'search',
      results: pages.map((page) => ({
        title: page.title,
        url: page.url,
        is_source_local: false,
        is_source_both: false,
        description: excerptOf(page),
        page_age: `${page.published}T00:00:00`,
        language: 'en',
        family_friendly: true,
        type: 'search_result',
        subtype: 'generic',
        meta_url: { scheme: 'http', netloc: page.host, hostname: page.host, path: page.path },
        ...(isWhole && { extra_snippets: [page.text.slice(excerptOf(page).length)] }),
      })),
      family_friendly: true,
    },
  }),
  error: (id, status, detail) => ({
    type: 'ErrorResponse',
    error: { id, status, code: codes[status] ?? 'INTERNAL', detail, meta: {} },
    time: 0,
  }),
};
