import type { ConsumeOptions } from './bus.ts';

/** Returns the number of waiting messages that make up the next batch: at least one, if any waits. */
export function batchLength<Waiting>(
  waiting: readonly Waiting[],
  bytesOf: (one: Waiting) => number,
  { batchMax, batchBytesMax = Infinity }: Pick<ConsumeOptions, 'batchMax' | 'batchBytesMax'>,
): number {
  let count = 0;
  let bytes = 0;
  for (const one of waiting) {
    bytes += bytesOf(one);
    if (count > 0 && (count >= batchMax || bytes > batchBytesMax)) break;
    count += 1;
  }
  return count;
}
