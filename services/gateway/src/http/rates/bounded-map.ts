import { LRUCache } from 'lru-cache';

/** A map of at most so many entries, of which the longest unused goes first. */
export function boundedMap<Value extends object | number>(
  entriesMax: number,
): LRUCache<string, Value> {
  // A size of 1 each, and not `max`, which would set the whole memory aside at once.
  return new LRUCache({ maxSize: entriesMax, sizeCalculation: () => 1 });
}
