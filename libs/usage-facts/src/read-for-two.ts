import type { Bundle, ReadBundle } from './read-bundle.ts';

interface Read {
  readonly bytes: Uint8Array;
  readonly bundle: Bundle;
}

/** Bounds what one consumer has read and the other has not taken. */
export interface UntakenBounds {
  readonly bundlesMax: number;
  readonly bytesMax: number;
}

/** About what both consumers have in hand while they keep up with each other. */
const boundsDefault: UntakenBounds = { bundlesMax: 500, bytesMax: 2_097_152 };

/**
 * Returns a reader for two consumers of one process that read the same messages: what one has read, the other takes.
 * Nothing depends on it. What is not there, because one of them is far behind or reads again, is read anew; and a
 * message is known by its bytes, so that none is taken for another.
 */
export function readForTwo(
  read: ReadBundle,
  { bundlesMax, bytesMax }: UntakenBounds = boundsDefault,
): ReadBundle {
  const untaken = new Map<string, Read>();
  let bytesSum = 0;
  const take = (key: string): Read | undefined => {
    const known = untaken.get(key);
    untaken.delete(key);
    bytesSum -= known?.bytes.length ?? 0;
    return known;
  };
  return (message) => {
    const { subject, id, bytes } = message;
    const key = `${subject} ${id}`;
    const known = take(key);
    if (known && Buffer.compare(known.bytes, bytes) === 0) return known.bundle;
    const bundle = read(message);
    untaken.set(key, { bytes, bundle });
    bytesSum += bytes.length;
    for (const oldest of untaken.keys()) {
      if (untaken.size <= bundlesMax && bytesSum <= bytesMax) break;
      take(oldest);
    }
    return bundle;
  };
}
