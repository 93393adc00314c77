import type { InferenceRequest } from './request.ts';

/** Returns the number of inputs that a model reads one by one. A conversation is one. */
export function inputCount({
  items,
  embedding,
  ranking,
}: Pick<InferenceRequest, 'items' | 'embedding' | 'ranking'>): number {
  if (embedding) return (embedding.tokens ?? items).length;
  // The first item is the query, which is read with each document.
  return ranking ? items.length - 1 : 1;
}
