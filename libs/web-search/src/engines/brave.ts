import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { charactersMaxDefault, type EngineAdapter } from '../adapter.ts';
import { withSites } from '../domains.ts';
import { joinTexts, stated } from './stated.ts';

const answer = Compile(
  Type.Object({
    type: Type.Literal('search'),
    web: Type.Optional(
      Type.Object({
        results: Type.Array(
          Type.Object({
            url: stated,
            title: stated,
            description: stated,
            extra_snippets: stated,
            page_age: stated,
          }),
        ),
      }),
    ),
  }),
);

const queryMax = 400;

/** https://api-dashboard.search.brave.com/app/documentation/web-search/get-started */
export const brave: EngineAdapter = {
  baseUrl: 'https://api.search.brave.com',
  authorize: (key) => ({ 'x-subscription-token': key }),
  resultsMax: 20,
  queryMax,
  domainsMax: 20,
  charactersMax: ({ maxCharacters }) => maxCharacters ?? charactersMaxDefault,
  request(query, settings) {
    return {
      method: 'GET',
      path: '/res/v1/web/search',
      query: {
        q: withSites(query, settings, queryMax),
        count: String(settings.maxResults),
        text_decorations: 'false',
        result_filter: 'web',
        extra_snippets: 'true',
      },
    };
  },
  read(value) {
    if (!answer.Check(value)) return undefined;
    return (value.web?.results ?? []).map((result) => ({
      url: result.url,
      title: result.title,
      content: joinTexts([result.description, ...snippetsOf(result.extra_snippets)]),
      publishedAt: result.page_age,
    }));
  },
};

function snippetsOf(snippets: unknown): readonly unknown[] {
  return Array.isArray(snippets) ? snippets : [];
}
