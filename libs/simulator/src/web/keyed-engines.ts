import { BadRequest } from '../prompt.ts';
import { excerptOf, type SimulatedEngine } from './engine.ts';
import { knowsOnly, listAt, numberAt, objectAt, textAt, wordAt } from './fields.ts';

const exaTypes = ['instant', 'fast', 'auto', 'neural', 'deep-lite', 'deep', 'deep-reasoning'];

export const exa: SimulatedEngine = {
  name: 'exa',
  method: 'POST',
  path: '/exa/search',
  read(_parameters, body) {
    knowsOnly(body, [
      'query',
      'type',
      'numResults',
      'includeDomains',
      'excludeDomains',
      'contents',
    ]);
    const contents = objectAt(body, 'contents');
    const isWhole = contents['text'] !== undefined;
    const mode = wordAt(body, 'type', exaTypes);
    const asked = objectAt(contents, isWhole ? 'text' : 'highlights');
    return {
      query: textAt(body, 'query'),
      limit: numberAt(body, 'numResults', 10, 100),
      allowed: listAt(body, 'includeDomains'),
      excluded: listAt(body, 'excludeDomains'),
      ...(mode !== undefined && { mode }),
      isWhole,
      characters: numberAt(asked, 'maxCharacters', 10_000, 1_000_000),
    };
  },
  answer: (requestId, { mode = 'auto', isWhole, characters }, pages) => ({
    requestId,
    resolvedSearchType: mode,
    results: pages.map((page) => ({
      id: page.url,
      title: page.title,
      url: page.url,
      publishedDate: `${page.published}T00:00:00.000Z`,
      author: null,
      ...(isWhole === true
        ? { text: excerptOf(page, characters) }
        : { highlights: [excerptOf(page, characters)], highlightScores: [0.5] }),
    })),
    costDollars: { total: 0.007 },
  }),
  error: (requestId, status, error) => ({
    requestId,
    error,
    tag: status === 401 ? 'INVALID_API_KEY' : 'INVALID_REQUEST_BODY',
  }),
};

export const parallel: SimulatedEngine = {
  name: 'parallel',
  method: 'POST',
  path: '/parallel/v1/search',
  read(_parameters, body) {
    knowsOnly(body, [
      'objective',
      'search_queries',
      'mode',
      'max_chars_total',
      'advanced_settings',
    ]);
    const queries = listAt(body, 'search_queries');
    if (queries.length === 0 || queries.some((query) => query.length > 200))
      throw new BadRequest('search_queries has queries of at most 200 characters');
    const settings = objectAt(body, 'advanced_settings');
    const sources = objectAt(settings, 'source_policy');
    const allowed = listAt(sources, 'include_domains');
    const excluded = listAt(sources, 'exclude_domains');
    if (allowed.length > 0 && excluded.length > 0)
      throw new BadRequest('include_domains and exclude_domains exclude each other');
    const limit = numberAt(settings, 'max_results', 10, 40);
    const total = numberAt(body, 'max_chars_total', 1_000_000, 1_000_000);
    const excerpts = objectAt(settings, 'excerpt_settings');
    const each = numberAt(excerpts, 'max_chars_per_result', 1_000_000, 1_000_000);
    const mode = wordAt(body, 'mode', ['turbo', 'fast', 'basic', 'advanced']);
    const query = [body['objective'], ...queries].join(' ');
    const characters = Math.min(each, Math.floor(total / limit));
    return { query, limit, allowed, excluded, characters, ...(mode !== undefined && { mode }) };
  },
  answer: (id, { characters }, pages) => ({
    search_id: `search_${id}`,
    session_id: `session_${id}`,
    results: pages.map((page) => ({
      url: page.url,
      title: page.title,
      publish_date: page.published,
      excerpts: [excerptOf(page, characters)],
    })),
    warnings: null,
    usage: [{ name: 'sku_search', count: 1 }],
  }),
  error: (id, _status, message) => ({ type: 'error', error: { ref_id: id, message } }),
};

export const firecrawl: SimulatedEngine = {
  name: 'firecrawl',
  method: 'POST',
  path: '/firecrawl/v2/search',
  read(_parameters, body) {
    knowsOnly(body, ['query', 'limit', 'sources', 'includeDomains', 'excludeDomains']);
    const query = textAt(body, 'query');
    if (query.length > 500) throw new BadRequest('query has at most 500 characters');
    const allowed = listAt(body, 'includeDomains');
    const excluded = listAt(body, 'excludeDomains');
    if (allowed.length > 0 && excluded.length > 0)
      throw new BadRequest('includeDomains and excludeDomains exclude each other');
    return { query, limit: numberAt(body, 'limit', 10, 100), allowed, excluded };
  },
  answer: (id, _asked, pages) => ({
    success: true,
    data: {
      web: pages.map((page, at) => ({
        url: page.url,
        title: page.title,
        description: excerptOf(page),
        position: at + 1,
      })),
    },
    creditsUsed: 2,
    id,
  }),
  error: (_id, status, message) => ({
    success: false,
    error: status === 401 ? `Unauthorized: Invalid token. ${message}` : message,
  }),
};

export const perplexity: SimulatedEngine = {
  name: 'perplexity',
  method: 'POST',
  path: '/perplexity/search',
  read(_parameters, body) {
    knowsOnly(body, [
      'query',
      'max_results',
      'max_tokens',
      'max_tokens_per_page',
      'search_context_size',
      'search_domain_filter',
    ]);
    const domains = listAt(body, 'search_domain_filter');
    const excluded = domains.filter((domain) => domain.startsWith('-'));
    if (domains.length > 20 || (excluded.length > 0 && excluded.length < domains.length))
      throw new BadRequest('search_domain_filter has at most 20 domains of one kind');
    wordAt(body, 'search_context_size', ['low', 'medium', 'high']);
    return {
      query: textAt(body, 'query'),
      limit: numberAt(body, 'max_results', 10, 20),
      allowed: domains.filter((domain) => !domain.startsWith('-')),
      excluded: excluded.map((domain) => domain.slice(1)),
      characters: 4 * numberAt(body, 'max_tokens_per_page', 4_096, 100_000),
    };
  },
  answer: (id, { characters }, pages) => ({
    id,
    results: pages.map((page) => ({
      title: page.title,
      url: page.url,
      snippet: excerptOf(page, characters),
      date: page.published,
      last_updated: page.published,
    })),
    server_time: null,
  }),
  error: (_id, code, message) => ({ error: { message, type: 'invalid_request', code } }),
};

export const tavily: SimulatedEngine = {
  name: 'tavily',
  method: 'POST',
  path: '/tavily/search',
  read(_parameters, body) {
    knowsOnly(body, [
      'query',
      'search_depth',
      'max_results',
      'include_raw_content',
      'include_domains',
      'exclude_domains',
    ]);
    const query = textAt(body, 'query');
    if (query.length > 400) throw new BadRequest('Query is too long. Max query length is 400.');
    const mode = wordAt(body, 'search_depth', ['basic', 'advanced', 'fast', 'ultra-fast']);
    return {
      query,
      limit: numberAt(body, 'max_results', 5, 20),
      allowed: listAt(body, 'include_domains'),
      excluded: listAt(body, 'exclude_domains'),
      isWhole: body['include_raw_content'] !== undefined,
      ...(mode !== undefined && { mode }),
    };
  },
  answer: (id, { query, isWhole }, pages) => ({
    query,
    follow_up_questions: null,
    answer: null,
    images: [],
    results: pages.map((page, at) => ({
      url: page.url,
      title: page.title,
      content: excerptOf(page),
      score: 1 / (at + 1),
      raw_content: isWhole === true ? page.text : null,
    })),
    response_time: 0.1,
    request_id: id,
  }),
  error: (_id, status, message) => ({
    detail: {
      error: status === 401 ? `Unauthorized: missing or invalid API key. ${message}` : message,
    },
  }),
};
