import { asArray, asObject, asString, type JsonObject } from '../json-reader.ts';

/** A page that an answer cites. */
export interface Source {
  readonly url: string;
  readonly title: string;
}

/** Bounds the sources of one answer. No real answer has more. */
const sourcesMax = 256;

const noSources: readonly Source[] = [];

/**
 * Reads the sources that Perplexity puts beside the choices. `citations` has the addresses in the order of the markers
 * in the text, and `search_results` their titles. A page in both is read once.
 */
export function readSources(body: JsonObject): readonly Source[] {
  const { citations, search_results: results } = body;
  if (!Array.isArray(citations) && !Array.isArray(results)) return noSources;
  const titles = new Map<string, string>();
  for (const cited of asArray(citations)) {
    const url = asString(cited);
    if (url) titles.set(url, '');
  }
  for (const result of asArray(results).map(asObject)) {
    const url = asString(result?.['url']);
    if (url) titles.set(url, asString(result?.['title']) ?? '');
  }
  return [...titles].slice(0, sourcesMax).map(([url, title]) => ({ url, title }));
}

/** Returns a source as an annotation of the text that ends at `end`. */
export function citationOf({ url, title }: Source, end: number): JsonObject {
  return { type: 'url_citation', url, title, start_index: 0, end_index: end };
}
