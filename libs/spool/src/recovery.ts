import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { durableEvidence, isZero, readFrame } from './frame.ts';
import { decodeHeader, segmentHeaderBytes, type SegmentHeader } from './segment.ts';

/** A record that was promised to be on disk cannot be read: a person has to look. */
export class SpoolDamaged extends Error {
  override readonly name = 'SpoolDamaged';
  readonly file: string;
  readonly offset: number;

  constructor(file: string, offset: number, what: string) {
    super(`The spool is damaged: ${basename(file)} at byte ${offset}: ${what}`);
    this.file = file;
    this.offset = offset;
  }
}

export interface RecoveredSegment extends SegmentHeader {
  readonly path: string;
  /** The sequence that the next record would have. */
  readonly nextSequence: bigint;
  /** The place of the next frame: behind the last good one. */
  readonly end: number;
  /** Bytes behind `end` that are not zero: the tail of a write that did not finish. */
  readonly isTorn: boolean;
}

/**
 * Reads one segment from front to back. A frame that cannot be read ends it when nothing shows that
 * it was ever on disk; otherwise throws SpoolDamaged.
 */
export async function recoverSegment(path: string): Promise<RecoveredSegment> {
  const bytes = await readFile(path);
  const header = decodeHeader(bytes);
  if (!header) throw new SpoolDamaged(path, 0, 'its header is damaged');
  let nextSequence = header.firstSequence;
  let offset = segmentHeaderBytes;
  for (;;) {
    const frame = readFrame(bytes, offset, header.seed);
    if (typeof frame !== 'object' || !follows(frame, nextSequence)) break;
    if (frame.payload.length > 0) nextSequence++;
    offset += frame.bytes;
  }
  const isTorn = !isZero(bytes.subarray(offset));
  if (isTorn && durableEvidence(bytes, offset, header.seed) >= nextSequence)
    throw new SpoolDamaged(path, offset, `record ${nextSequence} cannot be read`);
  return { ...header, path, nextSequence, end: offset, isTorn };
}

/** Throws SpoolDamaged unless each segment ends where the next begins. */
export function assertContinuous(segments: readonly RecoveredSegment[]): void {
  for (const [index, segment] of segments.entries()) {
    const next = segments[index + 1];
    if (!next) return;
    if (segment.nextSequence !== next.firstSequence || segment.epoch !== next.epoch)
      throw new SpoolDamaged(
        segment.path,
        segment.end,
        `record ${segment.nextSequence} cannot be read, and ${basename(next.path)} follows`,
      );
  }
}

function follows(
  frame: { readonly sequence: bigint; readonly durable: bigint; readonly payload: Uint8Array },
  nextSequence: bigint,
): boolean {
  if (frame.payload.length === 0) return frame.sequence === nextSequence - 1n;
  return frame.sequence === nextSequence && frame.durable < nextSequence;
}
