import type { Model } from '@sluice/catalog';
import { indexOf } from '../benchmarks.ts';

const known = new WeakMap<readonly Model[], ReadonlyMap<string, number>>();

/**
 * Returns the coding score of each listed model that has one, from 0 to 1: its coding index as a share of the best
 * index in the catalog. The lists of a catalog never change, so the scores are computed once for each.
 */
export function codingScores(listed: readonly Model[]): ReadonlyMap<string, number> {
  const cached = known.get(listed);
  if (cached) return cached;
  const indexes = new Map<string, number>();
  for (const model of listed) {
    const index = indexOf(model, 'coding_index');
    if (index !== undefined) indexes.set(model.id, index);
  }
  const best = Math.max(0, ...indexes.values());
  const scores = new Map(
    [...indexes].map(([id, index]) => [id, best === 0 ? 0 : index / best] as const),
  );
  known.set(listed, scores);
  return scores;
}
