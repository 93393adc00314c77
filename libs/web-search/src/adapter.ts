import type { SearchResult, SearchSettings } from './search.ts';

/** A request to an engine, relative to its base URL. */
export interface EngineRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** A result as the engine states it, before it is checked and cut. */
export type StatedResult = Partial<Record<keyof SearchResult, unknown>>;

/** One engine's API: pure, so that recorded requests and answers describe it. */
export interface EngineAdapter {
  readonly baseUrl?: string;
  /** Returns the headers that carry the key. */
  authorize(key: string): Readonly<Record<string, string>>;
  /** The largest number of results that the engine returns for a search. */
  readonly resultsMax: number;
  /** Characters of a query. A longer one is cut. */
  readonly queryMax: number;
  /** Entries of one domain list. */
  readonly domainsMax: number;
  /** Pages that may be asked for until there are enough results. */
  readonly pagesMax?: number;
  request(query: string, settings: SearchSettings, page: number): EngineRequest;
  /** Returns the results of an answer; undefined: it is no answer of this engine. */
  read(answer: unknown): readonly StatedResult[] | undefined;
  /** Returns the engine's id of an answer. */
  idOf?(answer: unknown): string | undefined;
  /** Returns the largest number of characters of one result's content. */
  charactersMax(settings: SearchSettings): number;
}

/** Characters of content if the engine sets no other bound. */
export const charactersMaxDefault = 30_000;

const charactersBySize = { low: 5_000, medium: 15_000, high: 30_000 } as const;

/** Returns the characters for a context size; undefined: none was asked for. */
export function charactersOfSize({ contextSize }: SearchSettings): number | undefined {
  return contextSize && charactersBySize[contextSize];
}
