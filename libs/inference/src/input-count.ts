import type { InferenceRequest } from './request.ts';

/** Returns the number of inputs that a model reads one by one. A conversation is one. */
export function inputCount({
  items,
  embedding,
}: Pick<InferenceRequest, 'items' | 'embedding'>): number {
  return embedding ? (embedding.tokens ?? items).length : 1;
}
