import type { JsonObject } from '../prompt.ts';
import type { Page, Sites } from './corpus.ts';

/** A search as one engine's API states it. */
export interface AskedSearch extends Sites {
  readonly query: string;
  readonly limit: number;
  /** Pages that are left out before the first result. */
  readonly offset?: number;
  readonly mode?: string;
  /** Characters of content for each result. */
  readonly characters?: number;
  /** Whole texts instead of excerpts. */
  readonly isWhole?: boolean;
}

/** One engine's API: which searches it takes, and the shapes of its answers and errors. */
export interface SimulatedEngine {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly isOpen?: true;
  /** Throws BadRequest for a request that the engine refuses. */
  read(parameters: URLSearchParams, body: JsonObject): AskedSearch;
  /** Finds the pages of an engine that does not search. */
  find?(asked: AskedSearch): readonly Page[];
  answer(id: string, asked: AskedSearch, pages: readonly Page[]): object;
  error(id: string, status: number, message: string): object;
}

export const excerptLength = 160;

export function excerptOf({ text }: Page, characters = excerptLength): string {
  return text.slice(0, characters);
}
