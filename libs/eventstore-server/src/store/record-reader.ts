import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { elementAt } from '../element-at.ts';
import { recordAt, recordBytesAt, type RecordView } from '../log/frame.ts';
import { DamagedLog } from '../log/recovery.ts';
import { segmentName } from '../log/segment.ts';
import { Generations } from './generations.ts';

export interface RecordReaderOptions {
  readonly directory: string;
  /** Bytes of records kept in memory: the newest, and what was read lately. */
  readonly cacheBytesMax: number;
}

/** The memory of a record beside its bytes. */
const entryBytes = 400;
const rememberedReadMax = 64;
const spanBytesMax = 512 * 1024;
const spanGapBytesMax = 16 * 1024;
const firstReadBytes = 4 * 1024;
const openFilesMax = 64;
/** No record is longer, whatever its first bytes say. */
const recordBytesMax = 512 * 1024 * 1024;

/** Payloads by position: from a bounded cache, else from the segment files, neighbours at once. */
export class RecordReader {
  readonly #options: RecordReaderOptions;
  readonly #cache: Generations<number, Buffer>;
  readonly #files = new Map<number, Promise<FileHandle>>();
  #bases: number[] = [];

  constructor(options: RecordReaderOptions) {
    this.#options = options;
    this.#cache = new Generations(options.cacheBytesMax, ({ length }) => length + entryBytes);
  }

  /** A segment exists from here on; called in ascending order. */
  addSegment(base: number): void {
    if (base > (this.#bases.at(-1) ?? -1)) this.#bases.push(base);
  }

  /** `record` must not be part of something much larger, or that is what stays in memory. */
  remember(position: number, record: Buffer): void {
    this.#cache.set(position, record);
  }

  /** Forgets records that never reached the disk: others will lie at their positions. */
  forgetFrom(position: number): void {
    this.#cache.deleteWhere((known) => known >= position);
  }

  /** The records at ascending positions. Throws DamagedLog for one that is not as it was written. */
  async read(positions: readonly number[]): Promise<readonly RecordView[]> {
    const records: RecordView[] = [];
    let span: Span | undefined;
    for (const [index, position] of positions.entries()) {
      const cached = this.#cache.get(position);
      if (cached) {
        records.push(recordAt(cached, 0) ?? this.#damaged(position));
        continue;
      }
      span = span && holds(span, position) ? span : await this.#readSpan(positions, index);
      if (!holds(span, position)) span = await this.#readRecord(position, span);
      const record = recordAt(span.bytes, position - span.start) ?? this.#damaged(position);
      records.push(record);
      if (positions.length <= rememberedReadMax) this.#rememberCopy(position, span, record);
    }
    return records;
  }

  async close(): Promise<void> {
    const files = [...this.#files.values()];
    this.#files.clear();
    for (const file of files) await (await file).close();
  }

  /** Reads ahead over the wanted positions that lie close together in one segment. */
  async #readSpan(positions: readonly number[], from: number): Promise<Span> {
    const start = elementAt(positions, from);
    const segmentEnd = this.#segmentEnd(start);
    let end = start + firstReadBytes;
    for (let index = from + 1; index < positions.length; index++) {
      const next = elementAt(positions, index);
      if (next >= segmentEnd || next - end > spanGapBytesMax) break;
      if (next - start > spanBytesMax) break;
      end = next + firstReadBytes;
    }
    return await this.#readBytes(start, Math.min(end, segmentEnd) - start);
  }

  /** Aggregates are read again and again; a catch-up passes by once and would drive them out. */
  #rememberCopy(position: number, { start, bytes }: Span, { recordBytes }: RecordView): void {
    const offset = position - start;
    const copy = Buffer.allocUnsafeSlow(recordBytes);
    bytes.copy(copy, 0, offset, offset + recordBytes);
    this.remember(position, copy);
  }

  /** A record that is longer than what was read of it. */
  async #readRecord(position: number, span: Span): Promise<Span> {
    const there = span.start + span.bytes.length - position;
    const head = there >= 4 && position >= span.start ? span : await this.#readBytes(position, 4);
    if (head.bytes.length - (position - head.start) < 4) return this.#damaged(position);
    const recordBytes = recordBytesAt(head.bytes, position - head.start);
    const end = Math.min(this.#segmentEnd(position), position + recordBytesMax);
    if (position + recordBytes > end) return this.#damaged(position);
    return await this.#readBytes(position, recordBytes);
  }

  async #readBytes(start: number, length: number): Promise<Span> {
    const base = this.#baseOf(start);
    const file = await this.#file(base);
    const bytes = Buffer.allocUnsafeSlow(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await file.read(bytes, filled, length - filled, start - base + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return { start, bytes: bytes.subarray(0, filled) };
  }

  #baseOf(position: number): number {
    const base = this.#bases.findLast((each) => each <= position);
    if (base === undefined) throw new RangeError(`no segment holds the position ${position}`);
    return base;
  }

  #segmentEnd(position: number): number {
    return this.#bases.find((base) => base > position) ?? Number.MAX_SAFE_INTEGER;
  }

  async #file(base: number): Promise<FileHandle> {
    const known = this.#files.get(base);
    if (known) {
      this.#files.delete(base);
      this.#files.set(base, known);
      return await known;
    }
    const opening = open(join(this.#options.directory, segmentName(base)), 'r');
    this.#files.set(base, opening);
    opening.catch(() => this.#files.delete(base));
    const { value: oldest } = this.#files.entries().next();
    if (oldest && this.#files.size > openFilesMax) {
      this.#files.delete(oldest[0]);
      // Node closes it when the reads that are under way have ended.
      void oldest[1].then((file) => file.close());
    }
    return await opening;
  }

  #damaged(position: number): never {
    const base = this.#baseOf(position);
    const path = join(this.#options.directory, segmentName(base));
    throw new DamagedLog(path, position - base, 'a record is not as it was written');
  }
}

interface Span {
  readonly start: number;
  readonly bytes: Buffer;
}

/** The record at the position is wholly in the span. */
function holds(span: Span, position: number): boolean {
  const offset = position - span.start;
  if (offset < 0 || offset + 4 > span.bytes.length) return false;
  return offset + recordBytesAt(span.bytes, offset) <= span.bytes.length;
}
