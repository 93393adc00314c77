import type { Model } from '@sluice/catalog';
import { placesFor, placesMax } from './rankings.ts';
import type { Skill } from './task-types.ts';

/** The evidence for a model. */
export interface Scored {
  readonly score: number;
  /** The place of its family in the table, from 0. Absent: the table does not know it. */
  readonly place?: number | undefined;
  /** The place among the models by use, from 1. Absent: no use is known. */
  readonly usageRank?: number;
}

/**
 * Returns the scores of the models that may do a task. The table gives from 1 down to 0. The share of the spend, as a
 * part of the greatest share, gives as much. Without shares the table alone counts.
 */
export function scoreModels(
  skill: Skill,
  listed: readonly Model[],
  shares: ReadonlyMap<string, number> | undefined,
): ReadonlyMap<string, Scored> {
  const places = placesFor(skill, listed);
  const byPlace = new Map(
    [...places].map(([id, place]) => [id, { score: 1 - place / placesMax, place }] as const),
  );
  const used = shares ? usedOf(listed, shares) : [];
  const [most] = used;
  if (!most) return byPlace;
  const scores = new Map<string, Scored>(byPlace);
  for (const [index, { id, share }] of used.entries()) {
    const { score = 0, place } = byPlace.get(id) ?? {};
    scores.set(id, { score: score + share / most.share, place, usageRank: index + 1 });
  }
  return scores;
}

/** Returns the listed models that write texts and have a share, the most used first. */
function usedOf(listed: readonly Model[], shares: ReadonlyMap<string, number>) {
  return listed
    .filter(({ outputModalities }) => outputModalities.includes('text'))
    .map(({ id }) => ({ id, share: shares.get(id) ?? 0 }))
    .filter(({ share }) => share > 0)
    .toSorted((one, other) => other.share - one.share || (one.id < other.id ? -1 : 1));
}
