import { open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { elementAt } from '../element-at.ts';
import type { LogEnd } from './durable-mark.ts';
import { frameAt, frameMagic, summarize, type FrameSummary } from './frame.ts';
import { LostEvents, type Recovery } from './lost-events.ts';
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

/** Called with each frame that has events, in log order. `bytes` is valid during the call only. */
export type VisitFrame = (position: number, summary: FrameSummary, bytes: Buffer) => void;

export interface RecoverOptions {
  readonly directory: string;
  readonly visit: VisitFrame;
  /** Everything up to here was acknowledged; undefined for a log that has no mark yet. */
  readonly acknowledged: LogEnd | undefined;
  /** Go on where acknowledged appends are missing at the end. */
  readonly acceptLoss: boolean;
}

export interface Recovered extends Recovery {
  /** Ascending; at least one. */
  readonly segmentBases: readonly number[];
  readonly endPosition: number;
}

/**
 * Reads the whole log, cuts a torn tail, refuses damage in the middle and an end that is missing. Changes
 * nothing on disk before it has decided. Throws DamagedLog, LostEvents.
 */
export async function recover(options: RecoverOptions): Promise<Recovered> {
  const { directory } = options;
  const found = await listSegments(directory);
  const unfinished = await unfinishedSegment(directory, found);
  const bases = unfinished === undefined ? found : found.slice(0, -1);
  const scan = await scanSegments(options, bases);
  const lostBytes = lostBytesOf(options, bases, scan);
  if (unfinished !== undefined) {
    await rm(join(directory, segmentName(unfinished)));
    await syncDirectory(directory);
  }
  if (scan.cutBytes > 0) await cut(join(directory, segmentName(scan.base)), scan.end);
  if (bases.length === 0) await (await createSegment(directory, 0)).close();
  const endPosition = scan.base + scan.end;
  return {
    segmentBases: bases.length === 0 ? [0] : bases,
    endPosition,
    cutBytes: scan.cutBytes,
    lostBytes,
    positionBefore: endPosition + Math.max(scan.cutBytes, lostBytes),
    positionAfter: endPosition,
  };
}

/** The end of the last whole frame of the log, and the number of bytes behind it. */
interface Scan {
  readonly base: number;
  readonly end: number;
  readonly cutBytes: number;
}

async function scanSegments(
  { directory, visit }: RecoverOptions,
  bases: readonly number[],
): Promise<Scan> {
  const paths = bases.map((base) => join(directory, segmentName(base)));
  let expectedBase = 0;
  let scan: Scan = { base: 0, end: segmentHeaderBytes, cutBytes: 0 };
  let reading = readAhead(paths[0]);
  for (const [index, base] of bases.entries()) {
    const path = elementAt(paths, index);
    const bytes = await reading;
    reading = readAhead(paths[index + 1]);
    if (base !== expectedBase) {
      const missing = segmentName(expectedBase);
      throw new DamagedLog(path, 0, `a segment is missing before it (${missing})`);
    }
    const problem = headerProblem(bytes, base);
    if (problem !== undefined) throw new DamagedLog(path, 0, problem);
    const end = visitFrames({ path, base, bytes, visit });
    if (end < bytes.length)
      refuseLoss({ path, base, bytes, end, last: index === bases.length - 1 });
    scan = { base, end, cutBytes: bytes.length - end };
    expectedBase = base + end;
    release(bytes);
  }
  return scan;
}

/** Throws LostEvents unless what is missing may be missing. */
function lostBytesOf(
  { directory, acknowledged, acceptLoss }: RecoverOptions,
  bases: readonly number[],
  { base, end }: Scan,
): number {
  const position = base + end;
  if (!acknowledged || acknowledged.position <= position) return 0;
  const hasSegment = bases.includes(acknowledged.base);
  if (!acceptLoss) throw new LostEvents(directory, { base, position }, acknowledged, hasSegment);
  return acknowledged.position - position;
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
async function unfinishedSegment(
  directory: string,
  bases: readonly number[],
): Promise<number | undefined> {
  const last = bases.at(-1);
  if (last === undefined) return undefined;
  const path = join(directory, segmentName(last));
  if ((await stat(path)).size > segmentHeaderBytes) return undefined;
  const bytes = await readFile(path);
  const isUnfinished =
    headerProblem(bytes, last) !== undefined &&
    (bytes.length < segmentHeaderBytes || bytes.every((byte) => byte === 0));
  return isUnfinished ? last : undefined;
}
