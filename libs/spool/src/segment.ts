import { writeSync } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

/** One file of the log: a header, then frames, then zeros up to its size. */
export interface SegmentHeader {
  readonly firstSequence: bigint;
  /** The same in all segments of a spool; another one when the directory was made anew. */
  readonly epoch: bigint;
  /** The seed of the checksums of its frames. */
  readonly seed: number;
}

export const segmentHeaderBytes = 40;

const magic = Buffer.from('SLSPOOL1');
const suffix = '.segment';
const zeros = Buffer.alloc(1_048_576);

export function segmentPath(directory: string, firstSequence: bigint): string {
  return join(directory, `${String(firstSequence).padStart(20, '0')}${suffix}`);
}

/** Returns all segments in order. */
export async function listSegments(directory: string): Promise<readonly string[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith(suffix));
  return names.toSorted((a, b) => (a < b ? -1 : 1)).map((name) => join(directory, name));
}

/** Writes the header of a segment, on disk when it resolves. */
export async function writeHeader(file: FileHandle, header: SegmentHeader): Promise<void> {
  await writeFully(file, encodeHeader(header), 0);
  await file.datasync();
}

export function decodeHeader(bytes: Buffer): SegmentHeader | undefined {
  if (bytes.length < segmentHeaderBytes || !bytes.subarray(0, 8).equals(magic)) return undefined;
  if (crc32(bytes.subarray(0, 32)) !== bytes.readUInt32LE(32)) return undefined;
  return {
    firstSequence: bytes.readBigUInt64LE(8),
    epoch: bytes.readBigUInt64LE(16),
    seed: bytes.readUInt32LE(24),
  };
}

export async function fillWithZeros(file: FileHandle, from: number, to: number): Promise<void> {
  for (let offset = from; offset < to; offset += zeros.length)
    await writeFully(file, zeros.subarray(0, Math.min(zeros.length, to - offset)), offset);
}

export async function writeFully(file: FileHandle, bytes: Buffer, at: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done);
    done += bytesWritten;
  }
}

/**
 * Writes like writeFully, but synchronously: into pages that the file has already, which takes less than handing the
 * write to another thread.
 */
export function writeIntoCache({ fd }: FileHandle, bytes: Buffer, at: number): void {
  for (let done = 0; done < bytes.length;)
    done += writeSync(fd, bytes, done, bytes.length - done, at + done);
}

/** A new name is on disk only after this. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function encodeHeader({ firstSequence, epoch, seed }: SegmentHeader): Buffer {
  const bytes = Buffer.alloc(segmentHeaderBytes);
  magic.copy(bytes);
  bytes.writeBigUInt64LE(firstSequence, 8);
  bytes.writeBigUInt64LE(epoch, 16);
  bytes.writeUInt32LE(seed, 24);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 32)), 32);
  return bytes;
}
