import { Type } from 'typebox';
import { integer, optional } from '../fields.ts';
import { domains } from '../server-tools/domains.ts';
import { idOf } from './plugin-fields.ts';

/** Lets the model read pages of the web, like the tool `service:web_fetch`. */
export const webFetch = Type.Object({
  id: idOf('web-fetch'),
  max_uses: optional(integer(1), 'Number of times that it may be used in a request.', 3),
  max_content_tokens: optional(integer(1), 'Number of tokens of a page that are kept.', 1_000),
  allowed_domains: optional(domains, 'The only domains that may be fetched.', ['example.com']),
  blocked_domains: optional(domains, 'Domains that may not be fetched.', ['example.com']),
});
