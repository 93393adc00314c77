import { open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { frameAt, frameMagic, summarize, type FrameSummary } from './frame.ts';
import {
  createSegment,
  headerProblem,
  listSegments,
  segmentHeaderBytes,
  segmentName,
  syncDirectory,
} from './segment.ts';

/** The log on disk cannot be trusted; the message names the file and the offset. */
export class DamagedLog extends Error {
  override readonly name = 'DamagedLog';
  readonly file: string;
  readonly offset: number;

  constructor(file: string, offset: number, reason: string) {
    super(`${file} is damaged at offset ${offset}: ${reason}`);
    this.file = file;
    this.offset = offset;
  }
}

/** Told of each frame with events, in log order. `bytes` is only good during the call. */
export type VisitFrame = (position: number, summary: FrameSummary, bytes: Buffer) => void;

export interface Recovered {
  /** Ascending; at least one. */
  readonly segmentBases: readonly number[];
  readonly endPosition: number;
  /** Bytes of a torn tail that were cut; they were never acknowledged. */
  readonly cutBytes: number;
}

/** Reads the whole log, cuts a torn tail, refuses damage in the middle. */
export async function recover(directory: string, visit: VisitFrame): Promise<Recovered> {
  const bases = [...(await listSegments(directory))];
  await dropUnfinishedSegment(directory, bases);
  if (bases.length === 0) {
    const file = await createSegment(directory, 0);
    await file.close();
    return { segmentBases: [0], endPosition: segmentHeaderBytes, cutBytes: 0 };
  }
  const paths = bases.map((base) => join(directory, segmentName(base)));
  let expectedBase = 0;
  let cutBytes = 0;
  let reading = readAhead(paths[0]);
  for (const [index, base] of bases.entries()) {
    const path = paths[index] ?? '';
    const bytes = await reading;
    reading = readAhead(paths[index + 1]);
    if (base !== expectedBase)
      throw new DamagedLog(
        path,
        0,
        `a segment is missing before it (${segmentName(expectedBase)})`,
      );
    const problem = headerProblem(bytes, base);
    if (problem !== undefined) throw new DamagedLog(path, 0, problem);
    const end = visitFrames({ path, base, bytes, visit });
    if (end < bytes.length) {
      refuseLoss({ path, base, bytes, end, last: index === bases.length - 1 });
      cutBytes = bytes.length - end;
      await cut(path, end);
    }
    expectedBase = base + end;
    release(bytes);
  }
  return { segmentBases: bases, endPosition: expectedBase, cutBytes };
}

/** While one segment is looked at, the next is on its way. A failure is met when it is awaited. */
function readAhead(path: string | undefined): Promise<Buffer> {
  const reading = path === undefined ? Promise.resolve(Buffer.alloc(0)) : readFile(path);
  reading.catch(() => {});
  return reading;
}

/** Gives 64 MB back now, instead of when a full garbage collection finds them. */
function release({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

interface SegmentBytes {
  readonly path: string;
  readonly base: number;
  readonly bytes: Buffer;
}

/** The offset of the first byte that is not part of a good frame. */
function visitFrames({ path, base, bytes, visit }: SegmentBytes & { visit: VisitFrame }): number {
  let offset = segmentHeaderBytes;
  for (;;) {
    const frame = frameAt(bytes, offset, base + offset);
    if (!frame) return offset;
    try {
      const summary = summarize(frame.bytes);
      if (summary) visit(base + offset, summary, frame.bytes);
    } catch (error) {
      throw new DamagedLog(path, offset, (error as Error).message);
    }
    offset += frame.bytes.length;
  }
}

/** Throws unless what lies behind `end` can only be the remains of an unfinished write. */
function refuseLoss(segment: SegmentBytes & { end: number; last: boolean }): void {
  const { path, base, bytes, end, last } = segment;
  if (!last) throw new DamagedLog(path, end, 'a frame is bad, and later segments follow');
  let candidate = bytes.indexOf(frameMagic, end + 1);
  while (candidate >= 0) {
    const frame = frameAt(bytes, candidate, base + candidate);
    if (frame && frame.durablePosition > base + end)
      throw new DamagedLog(path, end, `a frame is bad, and a good one follows at ${candidate}`);
    candidate = bytes.indexOf(frameMagic, candidate + 1);
  }
}

async function cut(path: string, length: number): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.truncate(length);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A crash while a segment was being made leaves a file without a whole header, and no frame. */
async function dropUnfinishedSegment(directory: string, bases: number[]): Promise<void> {
  const last = bases.at(-1);
  if (last === undefined) return;
  const path = join(directory, segmentName(last));
  if ((await stat(path)).size > segmentHeaderBytes) return;
  const bytes = await readFile(path);
  const unfinished =
    headerProblem(bytes, last) !== undefined &&
    (bytes.length < segmentHeaderBytes || bytes.every((byte) => byte === 0));
  if (!unfinished) return;
  await rm(path);
  await syncDirectory(directory);
  bases.pop();
}
