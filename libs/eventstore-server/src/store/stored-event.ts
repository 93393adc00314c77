import { elementAt } from '../element-at.ts';
import type { RecordView } from '../log/frame.ts';
import type { EventLogStore } from './event-log-store.ts';
import type { EventIndex } from './event-index.ts';

/** An event with its place in the log and its payload. */
export interface StoredEvent {
  readonly stream: string;
  /** Undefined for a tombstone. */
  readonly revision: number | undefined;
  readonly position: number;
  readonly createdMs: number;
  readonly record: RecordView;
}

const pageEventsMax = 256;
const pageBytesMax = 1024 * 1024;

/** The payloads of events, in the order given, which must be ascending. */
export async function loadEvents(
  { index, reader }: EventLogStore,
  ordinals: readonly number[],
): Promise<readonly StoredEvent[]> {
  const records = await reader.read(ordinals.map((ordinal) => index.positionAt(ordinal)));
  return records.map((record, at) => {
    const ordinal = elementAt(ordinals, at);
    return {
      stream: index.streamAt(ordinal).name,
      revision: index.revisionAt(ordinal),
      position: index.positionAt(ordinal),
      createdMs: index.createdMsAt(ordinal),
      record,
    };
  });
}

/** Cuts ordinals into pages that fit in memory, whatever the size of the events. */
export function* pages(index: EventIndex, ordinals: Iterable<number>): Generator<number[]> {
  let page: number[] = [];
  let bytes = 0;
  for (const ordinal of ordinals) {
    page.push(ordinal);
    bytes += index.bytesUpTo(ordinal);
    if (page.length < pageEventsMax && bytes < pageBytesMax) continue;
    yield page;
    page = [];
    bytes = 0;
  }
  if (page.length > 0) yield page;
}
