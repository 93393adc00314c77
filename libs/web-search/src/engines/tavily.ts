import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { charactersMaxDefault, charactersOfSize, type EngineAdapter } from '../adapter.ts';
import { idAt, stated } from './stated.ts';

const answer = Compile(
  Type.Object({
    results: Type.Array(
      Type.Object({
        url: stated,
        title: stated,
        content: stated,
        raw_content: stated,
        published_date: stated,
      }),
    ),
  }),
);

/** https://docs.tavily.com/documentation/api-reference/endpoint/search */
export const tavily: EngineAdapter = {
  baseUrl: 'https://api.tavily.com',
  authorize: (key) => ({ authorization: `Bearer ${key}` }),
  resultsMax: 20,
  queryMax: 400,
  domainsMax: 150,
  charactersMax: (settings) =>
    settings.maxCharacters ?? charactersOfSize(settings) ?? charactersMaxDefault,
  request(query, settings) {
    const { maxResults, allowedDomains, excludedDomains } = settings;
    const isWhole = (settings.maxCharacters ?? charactersOfSize(settings)) !== undefined;
    return {
      method: 'POST',
      path: '/search',
      body: {
        query,
        search_depth: 'basic',
        max_results: maxResults,
        ...(isWhole && { include_raw_content: 'text' }),
        ...(allowedDomains.length > 0 && { include_domains: allowedDomains }),
        ...(excludedDomains.length > 0 && { exclude_domains: excludedDomains }),
      },
    };
  },
  idOf: idAt('request_id'),
  read(value) {
    if (!answer.Check(value)) return undefined;
    return value.results.map((result) => ({
      url: result.url,
      title: result.title,
      content:
        typeof result.raw_content === 'string' && result.raw_content !== ''
          ? result.raw_content
          : result.content,
      publishedAt: result.published_date,
    }));
  },
};
