import type { StreamPart } from '@sluice/inference';
import { eventReader } from '../transport/body-reader.ts';
import type { Translator } from '../translation.ts';

/** Returns all parts of an event stream that arrives in these chunks. */
export function readStream(
  translator: Translator,
  pieces: readonly Uint8Array[],
): readonly StreamPart[] {
  const reader = eventReader(translator.stream());
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
}

/** Cuts bytes at these positions. */
export function cutAt(bytes: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const sorted = places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b);
  const ends = [...sorted, bytes.length];
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}
