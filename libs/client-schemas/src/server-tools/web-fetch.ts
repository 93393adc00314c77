import { type Static, Type } from 'typebox';
import { integer, kind, oneOf, optional } from '../fields.ts';
import { domains } from './domains.ts';

/** `service:web_fetch`: reads a page of the web. */
export const webFetchTool = Type.Object({
  type: kind('service:web_fetch'),
  parameters: optional(
    Type.Object({
      engine: optional(
        oneOf('auto', 'native', 'service', 'exa', 'parallel', 'firecrawl'),
        'The engine that reads the page. `service` is Sluice itself. `auto` is an own key of an engine, ' +
          'or else `service`. An engine that is not set up is an error that the model reads.',
        'auto',
      ),
      max_uses: optional(integer(1), 'Number of pages of a request. Later calls get an error.', 5),
      max_content_tokens: optional(
        integer(1),
        'Tokens of the content, roughly. A longer content is cut.',
        10_000,
      ),
      allowed_domains: optional(domains, 'Only these domains.', ['example.com']),
      blocked_domains: optional(domains, 'Never these domains.', ['example.com']),
    }),
    'Settings of the tool.',
    {},
  ),
});

export type WebFetchSettings = NonNullable<Static<typeof webFetchTool>['parameters']>;
