import { asIndex, asString, type JsonObject } from '../json-reader.ts';

/** Returns a citation as an annotation of the contract, or undefined if the contract lacks its kind. */
export function annotationOf(
  citation: JsonObject,
  { start, end }: { readonly start: number; readonly end: number },
): JsonObject | undefined {
  const title = asString(citation['title']) ?? asString(citation['document_title']) ?? '';
  const content = asString(citation['cited_text']);
  const url = asString(citation['url']) ?? asString(citation['source']);
  if (url !== undefined)
    return { type: 'url_citation', url, title, start_index: start, end_index: end, content };
  const index = asIndex(citation['document_index']);
  if (index === undefined) return undefined;
  const fileId = asString(citation['file_id']) ?? `document-${String(index)}`;
  return { type: 'file_citation', file_id: fileId, filename: title, index: end };
}
