import { open, readdir, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

/** A segment file is named after the position of its first byte: position = base + offset. */
export const segmentHeaderBytes = 32;

const magic = Buffer.from('SLEVTLOG', 'latin1');
const formatVersion = 1;
const namePattern = /^[0-9a-f]{16}\.log$/;

export function segmentName(base: number): string {
  return `${base.toString(16).padStart(16, '0')}.log`;
}

/** The bases of all segments in a directory, ascending. */
export async function listSegments(directory: string): Promise<readonly number[]> {
  const names = (await readdir(directory)).filter((name) => namePattern.test(name));
  return names.map((name) => Number.parseInt(name, 16)).toSorted((a, b) => a - b);
}

export function segmentHeader(base: number): Buffer {
  const header = Buffer.alloc(segmentHeaderBytes);
  magic.copy(header);
  header.writeUInt32LE(formatVersion, 8);
  header.writeDoubleLE(base, 12);
  header.writeUInt32LE(crc32(header.subarray(0, 20)), 20);
  return header;
}

/** Undefined when the header is right; else why it is not. */
export function headerProblem(bytes: Buffer, base: number): string | undefined {
  if (bytes.length < segmentHeaderBytes) return 'the header is cut short';
  if (!bytes.subarray(0, magic.length).equals(magic))
    return 'this is not a segment of an event log';
  const version = bytes.readUInt32LE(8);
  if (version !== formatVersion) return `format version ${version} is not known`;
  if (!bytes.subarray(0, segmentHeaderBytes).equals(segmentHeader(base)))
    return 'the header is damaged or belongs to another file';
  return undefined;
}

/** A new file with its header, both durable: the file's data and its name in the directory. */
export async function createSegment(directory: string, base: number): Promise<FileHandle> {
  const file = await open(join(directory, segmentName(base)), 'wx+', 0o600);
  try {
    await writeAll(file, segmentHeader(base), 0);
    await file.sync();
    await syncDirectory(directory);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes everything or throws: a short write (a full disk) is tried on until it is an error. */
export async function writeAll(file: FileHandle, bytes: Buffer, offset: number): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const rest = bytes.length - written;
    const { bytesWritten } = await file.write(bytes, written, rest, offset + written);
    if (bytesWritten === 0) throw new Error('the disk takes no more bytes');
    written += bytesWritten;
  }
}
