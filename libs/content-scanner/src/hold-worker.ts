import { type Hold, prefixHold } from '@sluice/content-filter';
import { LRUCache } from 'lru-cache';

export interface HoldInput {
  /** A pattern of the beginnings of all matches. */
  readonly source: string;
  /** The text that has not left. */
  readonly pending: string;
}

const compiledMax = 20;
const compiled = new LRUCache<string, Hold>({ max: compiledMax });

/** Returns where the first beginning of a match stands; the length of the text if there is none. */
export function work({ source, pending }: HoldInput): number {
  const hold = compiled.get(source) ?? prefixHold(source);
  if (!hold) throw new Error('invariant: a pattern of beginnings was compiled before');
  compiled.set(source, hold);
  return hold.from(pending, 0);
}
