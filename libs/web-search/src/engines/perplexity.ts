import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { charactersMaxDefault, type EngineAdapter } from '../adapter.ts';
import { idAt, stated } from './stated.ts';

const answer = Compile(
  Type.Object({
    results: Type.Array(Type.Object({ url: stated, title: stated, snippet: stated, date: stated })),
  }),
);

/** A token has about four characters. Three leave room, and the content is cut afterward. */
const charactersPerToken = 3;

/** https://docs.perplexity.ai/api-reference/search-post */
export const perplexity: EngineAdapter = {
  baseUrl: 'https://api.perplexity.ai',
  authorize: (key) => ({ authorization: `Bearer ${key}` }),
  resultsMax: 20,
  queryMax: 4_000,
  domainsMax: 20,
  charactersMax: ({ maxCharacters }) => maxCharacters ?? charactersMaxDefault,
  request(query, { maxResults, maxCharacters, contextSize, allowedDomains, excludedDomains }) {
    // One list says both, and it may not be mixed.
    const domains =
      allowedDomains.length > 0 ? allowedDomains : excludedDomains.map((domain) => `-${domain}`);
    return {
      method: 'POST',
      path: '/search',
      body: {
        query,
        max_results: maxResults,
        ...(maxCharacters === undefined
          ? contextSize && { search_context_size: contextSize }
          : { max_tokens_per_page: Math.ceil(maxCharacters / charactersPerToken) }),
        ...(domains.length > 0 && { search_domain_filter: domains }),
      },
    };
  },
  idOf: idAt('id'),
  read(value) {
    if (!answer.Check(value)) return undefined;
    return value.results.map(({ url, title, snippet, date }) => ({
      url,
      title,
      content: snippet,
      publishedAt: date,
    }));
  },
};
