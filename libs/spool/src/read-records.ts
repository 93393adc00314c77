import { type FileHandle, open } from 'node:fs/promises';
import { frameBytes, frameHeaderBytes, payloadBytesMax, readFrame } from './frame.ts';
import { SpoolDamaged } from './recovery.ts';
import { segmentHeaderBytes } from './segment.ts';
import type { Segment } from './segments.ts';

export interface SpoolRecord {
  readonly sequence: bigint;
  readonly payload: Uint8Array;
}

/** Holds any one frame, so that each read makes progress. */
const chunkBytes = frameBytes(payloadBytesMax);

/** The durable records of one segment from a sequence on, up to where it ended at the call, or it was released. */
export async function* readRecords(segment: Segment, from: bigint): AsyncGenerator<SpoolRecord> {
  const { path, seed, end } = segment;
  const file = await openKept(path);
  if (!file) return;
  try {
    const chunk = Buffer.alloc(Math.min(chunkBytes, end));
    let offset = segmentHeaderBytes;
    while (offset < end) {
      const { bytesRead } = await file.read(chunk, 0, Math.min(chunk.length, end - offset), offset);
      const bytes = chunk.subarray(0, bytesRead);
      let position = 0;
      while (position + frameHeaderBytes <= bytes.length) {
        const frame = readFrame(bytes, position, seed);
        if (typeof frame !== 'object') break;
        const { sequence, payload } = frame;
        if (payload.length > 0 && sequence >= from)
          yield { sequence, payload: Uint8Array.from(payload) };
        position += frame.bytes;
      }
      if (position === 0 && segment.isReleased) return;
      if (position === 0) throw new SpoolDamaged(path, offset, 'a record cannot be read any more');
      offset += position;
    }
  } finally {
    await file.close();
  }
}

/** undefined when the segment was released meanwhile, so that it is not needed. */
async function openKept(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
