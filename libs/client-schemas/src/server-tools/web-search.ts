import { type Static, Type } from 'typebox';
import { field, flag, integer, kind, kindOf, listOf, oneOf, optional, text } from '../fields.ts';
import { cache_control } from '../service-fields/cache-control.ts';
import { domains } from './domains.ts';

const handlesMax = 20;
const wordCharactersMax = 256;

const shortText = text({ max: wordCharactersMax });

const place = {
  city: optional(shortText, 'The city.', 'Lisbon'),
  region: optional(shortText, 'The region.', 'Lisbon'),
  country: optional(text({ max: 64 }), 'The country, as ISO 3166 writes it.', 'PT'),
  timezone: optional(text({ max: 64 }), 'IANA name of the time zone.', 'Europe/Lisbon'),
};
export const userLocation = Type.Object({ type: optional(kind('approximate')), ...place });
const typedUserLocation = Type.Object({ type: kind('approximate'), ...place });

const handles = listOf(shortText, { max: handlesMax });
export const xSearch = Type.Refine(
  Type.Object({
    allowed_x_handles: optional(handles, 'Only these accounts.', ['example']),
    excluded_x_handles: optional(handles, 'Never these accounts.', ['example']),
    from_date: optional(text({ max: 64 }), 'The first day, as ISO 8601.', '2026-01-01'),
    to_date: optional(text({ max: 64 }), 'The last day, as ISO 8601.', '2026-12-31'),
    enable_image_understanding: optional(flag, 'Reads pictures.', true),
    enable_video_understanding: optional(flag, 'Reads videos.', true),
  }),
  ({ allowed_x_handles: allowed, excluded_x_handles: excluded }) =>
    !((allowed?.length ?? 0) > 0 && (excluded?.length ?? 0) > 0),
  () => 'must have allowed_x_handles or excluded_x_handles, not both',
);

export const mode = optional(
  oneOf(
    'instant',
    'fast',
    'auto',
    'deep-lite',
    'deep',
    'deep-reasoning',
    'turbo',
    'basic',
    'advanced',
  ),
  'A mode of the engine. An engine ignores the modes of others.',
  'fast',
);

/** Settings that all forms of the tool have in the same place. */
const shared = {
  engine: optional(
    oneOf('auto', 'native', 'exa', 'parallel', 'firecrawl', 'perplexity'),
    'The search engine. `auto`: the provider’s own search, or else the default of the deployment.',
  ),
  mode,
  max_results: optional(integer(1, 25), 'Number of results of a search.', 5),
  max_uses: optional(integer(1), 'Number of searches of a request.', 3),
  search_context_size: optional(
    oneOf('low', 'medium', 'high'),
    'The size of the content of the results.',
    'medium',
  ),
  x_search: optional(
    xSearch,
    'Settings for posts. Engines other than one provider’s ignore them.',
    {},
  ),
};

/** Engines that take one list of domains. */
const oneListEngines: ReadonlySet<unknown> = new Set(['parallel', 'firecrawl', 'native']);

interface Lists {
  readonly engine?: string | null | undefined;
  readonly allowed?: readonly string[] | null | undefined;
  readonly excluded?: readonly string[] | null | undefined;
}

const isOneList = ({ engine, allowed, excluded }: Lists) =>
  !oneListEngines.has(engine) || !((allowed?.length ?? 0) > 0 && (excluded?.length ?? 0) > 0);
const oneListOnly = () =>
  'must have either allowed or excluded domains: this engine takes one of the lists';

const parameters = Type.Refine(
  Type.Object({
    ...shared,
    user_location: optional(userLocation, 'Where the user is. Other engines ignore it.', {}),
    max_total_results: optional(integer(1), 'Number of results of all searches.', 50),
    max_characters: optional(integer(1, 100_000), 'Characters of content of each result.', 2_000),
    allowed_domains: optional(domains, 'Only these domains.', ['example.com']),
    excluded_domains: optional(domains, 'Never these domains.', ['example.com']),
  }),
  ({ engine, allowed_domains: allowed, excluded_domains: excluded }) =>
    isOneList({ engine, allowed, excluded }),
  oneListOnly,
);

/** `service:web_search`: searches the web. */
export const webSearchTool = Type.Object({
  type: kind('service:web_search'),
  parameters: optional(parameters, 'Settings of the tool.', {}),
});

const filters = Type.Object({
  allowed_domains: optional(domains, 'Only these domains.', ['example.com']),
  blocked_domains: optional(domains, 'Never these domains.', ['example.com']),
  excluded_domains: optional(domains, 'The same as `blocked_domains`.', ['example.com']),
});

const blockedOf = (lists: {
  readonly blocked_domains?: readonly string[] | null | undefined;
  readonly excluded_domains?: readonly string[] | null | undefined;
}) => [...(lists.blocked_domains ?? []), ...(lists.excluded_domains ?? [])];

function shorthand<
  const Kinds extends string[],
  Location extends typeof userLocation | typeof typedUserLocation,
>(kinds: Kinds, location: Location) {
  return Type.Object({
    type: kindOf(...kinds),
    ...shared,
    filters: optional(filters, 'Domains that are searched, or left out.', {}),
    user_location: optional(location, 'Where the user is. Other engines ignore it.', {
      type: 'approximate',
    }),
  });
}

/** The kinds of OpenAI’s API for the same tool. */
export const webSearchShorthand = Type.Refine(
  shorthand(['web_search', 'web_search_2025_08_26'], userLocation),
  ({ engine, filters: lists }) =>
    isOneList({ engine, allowed: lists?.allowed_domains, excluded: lists && blockedOf(lists) }),
  oneListOnly,
);
export const webSearchPreviewShorthand = Type.Refine(
  shorthand(['web_search_preview', 'web_search_preview_2025_03_11'], typedUserLocation),
  ({ engine, filters: lists }) =>
    isOneList({ engine, allowed: lists?.allowed_domains, excluded: lists && blockedOf(lists) }),
  oneListOnly,
);

/** The kinds of Anthropic’s API for the same tool. */
export const webSearchVersion = Type.Object({
  type: kindOf('web_search_20250305', 'web_search_20260209'),
  name: field(Type.Literal('web_search'), 'Name of the tool.', 'web_search'),
  max_uses: shared.max_uses,
  allowed_domains: optional(domains, 'Only these domains.', ['example.com']),
  blocked_domains: optional(domains, 'Never these domains.', ['example.com']),
  user_location: optional(userLocation, 'Where the user is. Engines ignore it.', {
    type: 'approximate',
  }),
  cache_control,
});

export type WebSearchParameters = NonNullable<Static<typeof webSearchTool>['parameters']>;
export type WebSearchShorthand =
  | Static<typeof webSearchShorthand>
  | Static<typeof webSearchPreviewShorthand>;
export type WebSearchVersion = Static<typeof webSearchVersion>;
