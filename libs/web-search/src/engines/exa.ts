import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { charactersOfSize, type EngineAdapter } from '../adapter.ts';
import { idAt, joinTexts, stated } from './stated.ts';

const exaModes = ['instant', 'fast', 'auto', 'deep-lite', 'deep', 'deep-reasoning'];

const answer = Compile(
  Type.Object({
    results: Type.Array(
      Type.Object({
        url: stated,
        title: stated,
        text: stated,
        highlights: stated,
        publishedDate: stated,
      }),
    ),
  }),
);

/** Bounds excerpts whose size follows from their relevance. */
const excerptsMax = 4_000;

/** https://exa.ai/docs/reference/search */
export const exa: EngineAdapter = {
  baseUrl: 'https://api.exa.ai',
  authorize: (key) => ({ 'x-api-key': key }),
  resultsMax: 25,
  queryMax: 4_000,
  domainsMax: 1_200,
  charactersMax: (settings) => settings.maxCharacters ?? charactersOfSize(settings) ?? excerptsMax,
  request(query, settings) {
    const { mode, maxResults, allowedDomains, excludedDomains } = settings;
    const maxCharacters = settings.maxCharacters ?? charactersOfSize(settings);
    return {
      method: 'POST',
      path: '/search',
      body: {
        query,
        type: exaModes.includes(mode ?? '') ? mode : 'auto',
        numResults: maxResults,
        ...(allowedDomains.length > 0 && { includeDomains: allowedDomains }),
        ...(excludedDomains.length > 0 && { excludeDomains: excludedDomains }),
        contents:
          maxCharacters === undefined
            ? { highlights: { maxCharacters: excerptsMax } }
            : { text: { maxCharacters } },
      },
    };
  },
  idOf: idAt('requestId'),
  read(value) {
    if (!answer.Check(value)) return undefined;
    return value.results.map(({ url, title, text, highlights, publishedDate }) => ({
      url,
      title,
      content: typeof text === 'string' && text !== '' ? text : joinTexts(highlights),
      publishedAt: publishedDate,
    }));
  },
};
