import { elementAt } from '../element-at.ts';
import type { EventIndex, StreamEntry } from './event-index.ts';
import { firstRevisionShown, isMetastream, metastreamMetadata } from './stream-metadata.ts';

/** The revisions that a reader may see now, from `first` to `last`. None if first > last. */
export type StreamView =
  | { readonly kind: 'shown'; readonly first: number; readonly last: number }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'deleted' };

/** Truncation by `$maxCount`, `$maxAge` and `$tb` holds at once, long before anything is removed. */
export function viewStream(
  index: EventIndex,
  stream: StreamEntry | undefined,
  nowMs: number,
): StreamView {
  if (!stream) return { kind: 'not_found' };
  if (index.isTombstoneVisible(stream)) return { kind: 'deleted' };
  const last = index.visibleCount(stream) - 1;
  if (last < 0 || stream.metadataVisible.softDeleted) return { kind: 'not_found' };
  const metadata = isMetastream(stream.name) ? metastreamMetadata : stream.metadataVisible;
  const first = firstRevisionShown(metadata, last);
  if (metadata.maxAgeMs === undefined) return { kind: 'shown', first, last };
  const oldestMs = nowMs - metadata.maxAgeMs;
  return { kind: 'shown', first: firstSince(index, stream, { first, last }, oldestMs), last };
}

/** Events of a stream were created in the order of their revisions. */
function firstSince(
  index: EventIndex,
  { ordinals }: StreamEntry,
  { first, last }: { readonly first: number; readonly last: number },
  oldestMs: number,
): number {
  let low = first;
  let high = last + 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (index.createdMsAt(elementAt(ordinals, middle)) < oldestMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
