import type {
  WebSearchParameters,
  WebSearchShorthand,
  WebSearchVersion,
} from '@sluice/client-schemas';
import type { SearchSettings } from '@sluice/web-search';

/** The settings of all kinds of the tool in one form. */
export interface WebSearchSettings {
  readonly engine: string;
  readonly search: SearchSettings;
  /** Searches of a request. */
  readonly usesMax: number;
  /** Results of all searches of a request. */
  readonly totalResultsMax: number;
}

/** Any of the kinds, as its schema has checked it. */
export type Given = Partial<
  Omit<WebSearchParameters, 'user_location'> &
    Omit<WebSearchShorthand, 'type' | 'user_location'> &
    Omit<WebSearchVersion, 'type' | 'user_location'> &
    Pick<WebSearchParameters, 'user_location'>
>;

const resultsDefault = 5;
const totalResultsDefault = 50;

/** Reads checked settings of any kind of the tool. */
export function readSettings(given: Given): WebSearchSettings {
  const { filters, mode, max_characters: maxCharacters, search_context_size: contextSize } = given;
  return {
    engine: given.engine ?? 'auto',
    usesMax: given.max_uses ?? Infinity,
    totalResultsMax: given.max_total_results ?? totalResultsDefault,
    search: {
      maxResults: given.max_results ?? resultsDefault,
      allowedDomains: given.allowed_domains ?? filters?.allowed_domains ?? [],
      excludedDomains: [
        ...(given.excluded_domains ?? []),
        ...(given.blocked_domains ?? []),
        ...(filters?.blocked_domains ?? []),
        ...(filters?.excluded_domains ?? []),
      ],
      ...(mode && { mode }),
      ...(typeof maxCharacters === 'number' && { maxCharacters }),
      ...(contextSize && { contextSize }),
    },
  };
}
