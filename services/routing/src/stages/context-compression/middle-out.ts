import type { InputItem } from '@sluice/inference';
import { unitsOf } from './units.ts';

export interface Shortened {
  readonly items: readonly InputItem[];
  readonly tokens: number;
}

/**
 * Leaves out the middle of a conversation until it has at most so many tokens. Instructions, the last message of the
 * user, and all up to the last mark of a cached prompt stay as they are. Calls of tools go with their outputs.
 * undefined: it fits already, or it cannot be made to fit. `counts` has the tokens of each item.
 */
export function middleOut(
  items: readonly InputItem[],
  counts: readonly number[],
  tokensMax: number,
): Shortened | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total <= tokensMax) return undefined;
  const units = unitsOf(items).map((unit) => ({
    ...unit,
    tokens: unit.places.reduce((sum, place) => sum + (counts[place] ?? 0), 0),
  }));
  const movable = units.filter(({ isKept }) => !isKept);
  const kept = units.reduce((sum, { isKept, tokens }) => sum + (isKept ? tokens : 0), 0);
  if (kept > tokensMax) return undefined;
  const { head, tail, left } = ends(
    movable.map(({ tokens }) => tokens),
    tokensMax - kept,
  );
  const gone = new Set(movable.slice(head, movable.length - tail).flatMap(({ places }) => places));
  return {
    items: items.filter((_item, place) => !gone.has(place)),
    tokens: tokensMax - left,
  };
}

/** Returns how many of the first and of the last fit into an amount: half of it for each side, the rest for both. */
function ends(sizes: readonly number[], amount: number) {
  let left = amount;
  let head = 0;
  let tail = 0;
  const half = amount / 2;
  const at = (index: number) => sizes[index] ?? Infinity;
  const takeHead = (least: number) => {
    while (head + tail < sizes.length && left - at(head) >= least) left -= at(head++);
  };
  const takeTail = () => {
    while (head + tail < sizes.length && left >= at(sizes.length - 1 - tail))
      left -= at(sizes.length - 1 - tail++);
  };
  takeHead(half);
  takeTail();
  takeHead(0);
  return { head, tail, left };
}
