import type { EventIndex, StreamEntry } from './event-index.ts';
import type { RecentIds } from './recent-ids.ts';

/** The revision that a writer says the stream is at. `no_stream` is revision -1. */
export type ExpectedRevision = 'any' | 'no_stream' | 'stream_exists' | number;

export type Decision =
  | { readonly kind: 'write' }
  /** These events are there already; the answer is that of the first time. */
  | { readonly kind: 'written_before'; readonly lastOrdinal: number }
  | { readonly kind: 'wrong_expected_version' }
  | { readonly kind: 'stream_deleted' };

export interface Proposal {
  readonly stream: StreamEntry | undefined;
  /** `$$stream` has events: for `stream_exists` that is existence enough. */
  readonly hasMetastream: boolean;
  readonly expected: ExpectedRevision;
  readonly ids: readonly Buffer[];
}

const write: Decision = { kind: 'write' };
const wrong: Decision = { kind: 'wrong_expected_version' };
const deleted: Decision = { kind: 'stream_deleted' };

/** Sees appends that are still on their way to the disk, so that two writers cannot both win. */
export function decideAppend(index: EventIndex, recent: RecentIds, proposal: Proposal): Decision {
  const { stream, hasMetastream, expected, ids } = proposal;
  if (stream?.tombstoneOrdinal !== undefined) return deleted;
  const current = (stream?.ordinals.length ?? 0) - 1;
  if (expected === 'stream_exists') {
    if (stream?.metadata.softDeleted) return deleted;
    if (current < 0 && !hasMetastream) return wrong;
  }
  if (expected === 'any' || expected === 'stream_exists')
    return stream ? decideByIds(recent, stream, ids) : write;
  const expectedRevision = expected === 'no_stream' ? -1 : expected;
  if (expectedRevision > current) return wrong;
  if (expectedRevision === current) return write;
  return decideBehind(index, proposal, expectedRevision);
}

/** Best effort, as on a real node: only what was appended lately is remembered by its id. */
function decideByIds(recent: RecentIds, stream: StreamEntry, ids: readonly Buffer[]): Decision {
  let lastOrdinal: number | undefined;
  for (const [position, id] of ids.entries()) {
    const ordinal = recent.find(stream.number, id);
    if (ordinal === undefined) return position === 0 ? write : wrong;
    lastOrdinal = ordinal;
  }
  return lastOrdinal === undefined ? write : { kind: 'written_before', lastOrdinal };
}

/** The writer is behind: fine when exactly its events are what came next. */
function decideBehind(
  index: EventIndex,
  { stream, expected, ids }: Proposal,
  expectedRevision: number,
): Decision {
  let lastOrdinal: number | undefined;
  for (const [position, id] of ids.entries()) {
    const ordinal = stream?.ordinals[expectedRevision + 1 + position];
    if (ordinal === undefined || !index.hasId(ordinal, id)) {
      const anew = position === 0 && expected === 'no_stream' && stream?.metadata.softDeleted;
      return anew ? write : wrong;
    }
    lastOrdinal = ordinal;
  }
  return lastOrdinal === undefined ? wrong : { kind: 'written_before', lastOrdinal };
}
