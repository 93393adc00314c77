import type { RecordedEvent } from './event-store.ts';

const metastreamPrefix = '$$';
/** The fields of a stream's metadata that the store takes for whole numbers, with the least value of each. */
const wholeNumbers = { $tb: 0, $maxCount: 1, $maxAge: 1, $cacheControl: 1 } as const;

/** The name of the stream in which the event store keeps the metadata of a stream, or the prefix of such names. */
export function metastreamOf(stream: string): string {
  return `${metastreamPrefix}${stream}`;
}

/** The stream whose metadata lies in the given one; undefined for any other stream. */
export function streamOfMetastream(stream: string): string | undefined {
  return stream.startsWith(metastreamPrefix) ? stream.slice(metastreamPrefix.length) : undefined;
}

/**
 * The stream that this event takes out of the log: a tombstone in the stream itself, or metadata by which the store
 * hides events of it (a deletion writes `$tb`). Undefined for any other event.
 */
export function goneStreamOf({
  stream,
  type,
  data,
}: Pick<RecordedEvent, 'stream' | 'type' | 'data'>): string | undefined {
  // An event of any type is metadata there.
  const described = streamOfMetastream(stream);
  if (described !== undefined) return hidesEvents(data) ? described : undefined;
  return type === '$streamDeleted' ? stream : undefined;
}

/** The store ignores metadata as a whole where one of its fields is wrong. */
function hidesEvents(metadata: unknown): boolean {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return false;
  const fields = metadata as Readonly<Record<string, unknown>>;
  const isValid = Object.entries(wholeNumbers).every(([name, min]) => {
    const value = fields[name];
    return value === undefined || (Number.isInteger(value) && Number(value) >= min);
  });
  if (!isValid) return false;
  const { $tb = 0, $maxCount, $maxAge } = fields;
  return $tb !== 0 || $maxCount !== undefined || $maxAge !== undefined;
}
