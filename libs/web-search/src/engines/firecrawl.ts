import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { charactersMaxDefault, type EngineAdapter } from '../adapter.ts';
import { idAt, stated } from './stated.ts';

const answer = Compile(
  Type.Object({
    success: Type.Literal(true),
    data: Type.Object({
      web: Type.Optional(
        Type.Array(
          Type.Object({ url: stated, title: stated, description: stated, markdown: stated }),
        ),
      ),
    }),
  }),
);

/**
 * https://docs.firecrawl.dev/api-reference/endpoint/search. It searches without scraping: each scraped page would cost
 * the account another credit.
 */
export const firecrawl: EngineAdapter = {
  baseUrl: 'https://api.firecrawl.dev',
  authorize: (key) => ({ authorization: `Bearer ${key}` }),
  resultsMax: 25,
  queryMax: 500,
  domainsMax: 100,
  charactersMax: () => charactersMaxDefault,
  request(query, { maxResults, allowedDomains, excludedDomains }) {
    return {
      method: 'POST',
      path: '/v2/search',
      body: {
        query,
        limit: maxResults,
        sources: ['web'],
        // The API takes one list. Results are filtered by both afterward.
        ...(allowedDomains.length > 0
          ? { includeDomains: allowedDomains }
          : excludedDomains.length > 0 && { excludeDomains: excludedDomains }),
      },
    };
  },
  idOf: idAt('id'),
  read(value) {
    if (!answer.Check(value)) return undefined;
    return (value.data.web ?? []).map(({ url, title, description, markdown }) => ({
      url,
      title,
      content: typeof markdown === 'string' && markdown !== '' ? markdown : description,
    }));
  },
};
