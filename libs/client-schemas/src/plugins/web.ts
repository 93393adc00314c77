import { Type } from 'typebox';
import { integer, oneOf, optional, text } from '../fields.ts';
import { domains } from '../server-tools/domains.ts';
import { mode, userLocation, xSearch } from '../server-tools/web-search.ts';
import { enabled, idOf } from './plugin-fields.ts';

const resultsMax = 25;
const perplexityResultsMax = 20;
const promptCharactersMax = 65_536;

/** Searches the web once, before the model is asked. */
export const web = Type.Refine(
  Type.Object(
    {
      id: idOf('web'),
      enabled,
      engine: optional(
        oneOf('native', 'exa', 'firecrawl', 'parallel', 'perplexity'),
        'The search engine. Absent: the provider’s own search, or else that of the deployment.',
      ),
      mode,
      max_results: optional(integer(1, resultsMax), 'Number of results of a search.', 5),
      search_prompt: optional(
        text({ max: promptCharactersMax }),
        'The text before the results of a search.',
        'Use these results.',
      ),
      include_domains: optional(domains, 'The only domains of a search.', ['example.com']),
      exclude_domains: optional(domains, 'Domains that are left out of a search.', ['example.com']),
      max_uses: optional(integer(1), 'Number of searches of a request.', 3),
      user_location: optional(userLocation, 'Where the user is.', {}),
      x_search: optional(xSearch, 'Settings for posts.', {}),
    },
    { ruleField: 'max_results' },
  ),
  ({ engine, max_results: results }) =>
    engine !== 'perplexity' || (results ?? 0) <= perplexityResultsMax,
  () => `must be at most ${String(perplexityResultsMax)}: this engine returns no more`,
);
