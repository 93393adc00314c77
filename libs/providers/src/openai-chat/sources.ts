import { asArray, asIndex, asObject, asString, type JsonObject } from '../json-reader.ts';

/** A page that an answer cites. */
export interface Source {
  readonly url: string;
  readonly title: string;
  /** The cited place of the text in UTF-16 units. Absent: the whole text. */
  readonly span?: { readonly start: number; readonly end: number };
}

/** Bounds the sources of one answer. No real answer has more. */
const sourcesMax = 256;

const noSources: readonly Source[] = [];

/**
 * Reads the sources of a chunk. OpenAI puts them in the message as `annotations`, Perplexity beside the choices:
 * `citations` has the addresses in the order of the markers in the text, `search_results` their titles.
 */
export function readSources(body: JsonObject, message: JsonObject | undefined): readonly Source[] {
  const { citations, search_results: results } = body;
  const annotations = message?.['annotations'];
  if (!Array.isArray(citations) && !Array.isArray(results) && !Array.isArray(annotations))
    return noSources;
  return [
    ...asArray(citations).flatMap((url) => sourceOf({ url })),
    ...asArray(results).flatMap((result) => sourceOf(asObject(result))),
    ...asArray(annotations).flatMap((value) =>
      sourceOf(asObject(asObject(value)?.['url_citation'])),
    ),
  ];
}

/** Adds the sources of a chunk to those before. A page that is cited twice for one place is one source. */
export function joinSources(known: readonly Source[], more: readonly Source[]): readonly Source[] {
  if (more.length === 0) return known;
  const sources = new Map<string, Source>();
  for (const source of [...known, ...more]) {
    const key = JSON.stringify([source.url, source.span]);
    const title = source.title || (sources.get(key)?.title ?? '');
    sources.set(key, { ...source, title });
  }
  return [...sources.values()].slice(0, sourcesMax);
}

/** Returns a source as an annotation of a text with this length. */
export function citationOf({ url, title, span }: Source, length: number): JsonObject {
  const { start, end } = span ?? { start: 0, end: length };
  return { type: 'url_citation', url, title, start_index: start, end_index: end };
}

function sourceOf(page: JsonObject | undefined): readonly Source[] {
  const url = asString(page?.['url']);
  if (!url) return [];
  const start = asIndex(page?.['start_index']);
  const end = asIndex(page?.['end_index']);
  const hasSpan = start !== undefined && end !== undefined && start <= end;
  return [
    { url, title: asString(page?.['title']) ?? '', ...(hasSpan && { span: { start, end } }) },
  ];
}
