import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { charactersMaxDefault, charactersOfSize, type EngineAdapter } from '../adapter.ts';
import { idAt, joinTexts, stated } from './stated.ts';

const parallelModes = ['turbo', 'fast', 'basic', 'advanced'];

const answer = Compile(
  Type.Object({
    results: Type.Array(
      Type.Object({ url: stated, title: stated, excerpts: stated, publish_date: stated }),
    ),
  }),
);

const charactersPerResult = 1_500;
const keywordsMax = 200;

/** https://docs.parallel.ai/api-reference/search/search */
export const parallel: EngineAdapter = {
  baseUrl: 'https://api.parallel.ai',
  authorize: (key) => ({ 'x-api-key': key }),
  resultsMax: 25,
  queryMax: 5_000,
  domainsMax: 200,
  charactersMax(settings) {
    if (settings.maxCharacters !== undefined) return settings.maxCharacters;
    return charactersOfSize(settings) === undefined ? charactersPerResult : charactersMaxDefault;
  },
  request(query, settings) {
    const { mode, maxResults, maxCharacters, allowedDomains, excludedDomains } = settings;
    const total = maxCharacters === undefined ? charactersOfSize(settings) : undefined;
    // The API takes one list. Results are filtered by both afterward.
    const sources =
      allowedDomains.length > 0
        ? { include_domains: allowedDomains }
        : excludedDomains.length > 0 && { exclude_domains: excludedDomains };
    return {
      method: 'POST',
      path: '/v1/search',
      body: {
        objective: query,
        search_queries: [query.slice(0, keywordsMax).toWellFormed()],
        mode: parallelModes.includes(mode ?? '') ? mode : 'basic',
        ...(total !== undefined && { max_chars_total: total }),
        advanced_settings: {
          max_results: maxResults,
          ...(total === undefined && {
            excerpt_settings: { max_chars_per_result: maxCharacters ?? charactersPerResult },
          }),
          ...(sources && { source_policy: sources }),
        },
      },
    };
  },
  idOf: idAt('search_id'),
  read(value) {
    if (!answer.Check(value)) return undefined;
    return value.results.map(({ url, title, excerpts, publish_date: publishedAt }) => ({
      url,
      title,
      content: joinTexts(excerpts),
      publishedAt,
    }));
  },
};
