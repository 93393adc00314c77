import { type ContentPart, type InferenceRequest, type InputItem } from '@sluice/inference';

/** Cohere bills a search unit for each hundred documents of a query. */
const documentsPerUnit = 100;
/** A document that is longer than this together with the query is split. Each chunk counts as a document. */
const chunkTokens = 500;
/** A long query leaves at least so much of a chunk to the document. */
const documentTokensMin = 250;

/** Returns the search units of a request that ranks documents; 0 for any other request. */
export function searchUnits(
  { items, ranking }: Pick<InferenceRequest, 'items' | 'ranking'>,
  tokensOf: (text: string) => number,
): number {
  const [query, ...documents] = items;
  if (!ranking || !query) return 0;
  const room = Math.max(documentTokensMin, chunkTokens - textTokens(query, tokensOf));
  let chunks = 0;
  for (const document of documents)
    chunks += Math.max(1, Math.ceil(textTokens(document, tokensOf) / room));
  return Math.ceil(chunks / documentsPerUnit);
}

/** Returns the most search units that a provider may bill: a text has at most as many tokens as bytes. */
export function searchUnitsMax(request: Pick<InferenceRequest, 'items' | 'ranking'>): number {
  return searchUnits(request, (text) => Buffer.byteLength(text));
}

function textTokens(item: InputItem, tokensOf: (text: string) => number): number {
  if (item.type !== 'message') return 0;
  return item.content.reduce((sum, part) => sum + partTokens(part, tokensOf), 0);
}

function partTokens(part: ContentPart, tokensOf: (text: string) => number): number {
  return part.type === 'text' ? tokensOf(part.text) : 0;
}
