import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { charactersMaxDefault, type EngineAdapter } from '../adapter.ts';
import { withSites } from '../domains.ts';
import { stated } from './stated.ts';

const answer = Compile(
  Type.Object({
    results: Type.Array(
      Type.Object({ url: stated, title: stated, content: stated, publishedDate: stated }),
    ),
  }),
);

const queryMax = 2_000;

/**
 * https://docs.searxng.org/dev/search_api.html. The instance answers 403 unless its settings list `json` among the
 * formats. It has no limit for results, so that pages are asked for until there are enough.
 */
export const searxng: EngineAdapter = {
  // An instance behind a proxy may want a token.
  authorize: (key) => ({ authorization: `Bearer ${key}` }),
  resultsMax: 25,
  queryMax,
  domainsMax: 20,
  pagesMax: 3,
  charactersMax: ({ maxCharacters }) => maxCharacters ?? charactersMaxDefault,
  request(query, settings, page) {
    return {
      method: 'GET',
      path: '/search',
      query: {
        q: withSites(query, settings, queryMax),
        format: 'json',
        categories: 'general',
        pageno: String(page),
      },
    };
  },
  read(value) {
    if (!answer.Check(value)) return undefined;
    return value.results.map(({ url, title, content, publishedDate: publishedAt }) => ({
      url,
      title,
      content,
      publishedAt,
    }));
  },
};
