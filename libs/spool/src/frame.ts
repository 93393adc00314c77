import { crc32 } from 'node:zlib';

/**
 * The form of a record in a segment. A frame starts at a multiple of 8:
 *
 *   crc32 u32 | length u32 | sequence u64 | durable u64 | payload | zeros up to a multiple of 8
 *
 * Little endian. The checksum covers everything behind itself but the padding, and starts from the
 * seed of the segment, so that neither an old frame nor a payload that looks like one passes.
 * `durable` is the highest sequence that was on disk when the frame was written: it distinguishes a torn
 * tail, which was never acknowledged, from a damaged record. A frame without payload is a mark: it only
 * carries `durable`. Bytes that are all zero were never written.
 */
export interface Frame {
  readonly sequence: bigint;
  readonly durable: bigint;
  /** A view into the bytes that were decoded; empty for a mark. */
  readonly payload: Uint8Array;
  /** With header and padding. */
  readonly bytes: number;
}

export type Decoded = Frame | 'unwritten' | 'damaged';

export const frameHeaderBytes = 24;
export const payloadBytesMax = 1_048_576;

const alignment = 8;
const zeros = Buffer.alloc(65_536);
const offsets = { length: 4, sequence: 8, durable: 16 } as const;

/** The bytes that a payload takes on disk. */
export function frameBytes(payloadBytes: number): number {
  return Math.ceil((frameHeaderBytes + payloadBytes) / alignment) * alignment;
}

export interface FrameToWrite {
  readonly sequence: bigint;
  readonly durable: bigint;
  readonly payload: Uint8Array;
}

/** Writes a frame at the offset; the answer is the offset behind it. */
export function writeFrame(
  target: Buffer,
  offset: number,
  seed: number,
  { sequence, durable, payload }: FrameToWrite,
): number {
  const end = offset + frameHeaderBytes + payload.length;
  const next = offset + frameBytes(payload.length);
  target.writeUInt32LE(payload.length, offset + offsets.length);
  target.writeBigUInt64LE(sequence, offset + offsets.sequence);
  target.writeBigUInt64LE(durable, offset + offsets.durable);
  target.set(payload, offset + frameHeaderBytes);
  target.fill(0, end, next);
  target.writeUInt32LE(crc32(target.subarray(offset + offsets.length, end), seed), offset);
  return next;
}

/** Reads the frame at the offset; the source may end before it does. */
export function readFrame(source: Buffer, offset: number, seed: number): Decoded {
  if (isZero(source.subarray(offset, offset + frameHeaderBytes))) return 'unwritten';
  if (offset + frameHeaderBytes > source.length) return 'damaged';
  const length = source.readUInt32LE(offset + offsets.length);
  const end = offset + frameHeaderBytes + length;
  if (length > payloadBytesMax || end > source.length) return 'damaged';
  const checksum = crc32(source.subarray(offset + offsets.length, end), seed);
  if (checksum !== source.readUInt32LE(offset)) return 'damaged';
  return {
    sequence: source.readBigUInt64LE(offset + offsets.sequence),
    durable: source.readBigUInt64LE(offset + offsets.durable),
    payload: source.subarray(offset + frameHeaderBytes, end),
    bytes: frameBytes(length),
  };
}

/** The highest sequence that any good frame from the offset on says was on disk; 0 without one. */
export function durableEvidence(source: Buffer, from: number, seed: number): bigint {
  let highest = 0n;
  for (let offset = from; offset + frameHeaderBytes <= source.length; offset += alignment) {
    if (source.readUInt32LE(offset) === 0 && source.readUInt32LE(offset + offsets.length) === 0)
      continue;
    const frame = readFrame(source, offset, seed);
    if (typeof frame === 'object' && frame.durable > highest) highest = frame.durable;
  }
  return highest;
}

export function isZero(bytes: Uint8Array): boolean {
  for (let offset = 0; offset < bytes.length; offset += zeros.length) {
    const part = bytes.subarray(offset, offset + zeros.length);
    if (zeros.compare(part, 0, part.length, 0, part.length) !== 0) return false;
  }
  return true;
}
