/** The engines that have an adapter. `simulator` is the corpus of the simulator, which speaks SearXNG's API. */
export const engineNames = [
  'searxng',
  'exa',
  'parallel',
  'firecrawl',
  'perplexity',
  'tavily',
  'brave',
  'simulator',
] as const;

export type EngineName = (typeof engineNames)[number];

/** The engines that take the key of a customer, in the order in which they are tried. */
export const keyedEngineNames = [
  'exa',
  'parallel',
  'perplexity',
  'tavily',
  'brave',
  'firecrawl',
] as const satisfies readonly EngineName[];

export type ContextSize = 'low' | 'medium' | 'high';

export interface SearchSettings {
  /** A word of one engine, such as `deep`. Other engines ignore it. */
  readonly mode?: string;
  readonly maxResults: number;
  /** Characters of content for each result. Overrides `contextSize`. */
  readonly maxCharacters?: number;
  readonly contextSize?: ContextSize;
  /** Domains such as `libs/domain-lists` reads. Empty: all. */
  readonly allowedDomains: readonly string[];
  readonly excludedDomains: readonly string[];
}

export interface SearchResult {
  readonly url: string;
  readonly title: string;
  readonly content: string;
  /** ISO 8601. */
  readonly publishedAt?: string;
}

/** Reasons why a search has no results to show. None of them has words of the engine, which may repeat the key. */
export type SearchProblem =
  | 'canceled'
  | 'invalid_query'
  | 'invalid_domain'
  | 'too_many_domains'
  | 'unreachable'
  | 'timeout'
  | 'rejected_key'
  | 'rate_limited'
  | 'rejected'
  | 'engine_failed'
  | 'invalid_answer'
  | 'answer_too_large';

export type SearchOutcome =
  | {
      readonly isFound: true;
      readonly engine: EngineName;
      readonly results: readonly SearchResult[];
      /** The number of results that the engine bills. Some of them may not be shown. */
      readonly billedResults: number;
      /** The engine's id of the answer. */
      readonly upstreamId?: string;
    }
  | {
      readonly isFound: false;
      readonly engine: EngineName;
      readonly problem: SearchProblem;
      /** A sentence for the model and the operator. */
      readonly message: string;
      /** True if the engine may bill the search all the same, because it was sent and no answer says more. */
      readonly mayBeBilled: boolean;
    };

export interface SearchOptions {
  readonly signal: AbortSignal;
  /** Sent as `x-client-request-id`, so that the engine's records can be matched with ours. */
  readonly requestId?: string;
}

/** A search engine. A failure is an outcome, never a throw. */
export interface SearchEngine {
  readonly name: EngineName;
  search(query: string, settings: SearchSettings, options: SearchOptions): Promise<SearchOutcome>;
  /** Returns true if the address answers, whatever it says. It sends no key, so that it costs nothing. */
  isReachable(signal: AbortSignal): Promise<boolean>;
}
