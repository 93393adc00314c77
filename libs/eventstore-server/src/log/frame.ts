import { crc32 } from 'node:zlib';
import { elementAt } from '../element-at.ts';

/** One event as it is appended: what the client sent, with the id as 16 bytes. */
export interface ProposedEvent {
  readonly id: Buffer;
  readonly type: string;
  readonly json: boolean;
  readonly metadata: Buffer;
  readonly data: Buffer;
}

/** One append: its events lie in one frame, so a torn write takes all of them or none. */
export interface AppendFrame {
  readonly kind: 'append' | 'tombstone';
  readonly stream: string;
  readonly firstRevision: number;
  readonly createdMs: number;
  readonly events: readonly ProposedEvent[];
}

/** A frame with the starts of its records, counted from the start of the frame. */
export interface EncodedFrame {
  readonly bytes: Buffer;
  readonly recordOffsets: readonly number[];
}

/**
 * Frame: magic, body bytes, CRC32 over all that follows it and over its own position, `durable`,
 * body. `durable` is how far the log was known to be on disk when the frame was made: a damaged
 * frame that a later `durable` covers was lost, one that none covers was never acknowledged.
 */
export const frameHeaderBytes = 20;
export const frameMagic = Buffer.from('SLF1', 'latin1');
export const streamNameBytesMax = 65_535;
export const eventTypeBytesMax = 65_535;

const kinds = { append: 1, tombstone: 2, mark: 3 } as const;
const appendHeaderBytes = 23;
const recordHeaderBytes = 31;
const jsonFlag = 1;

/** The CRC is written by `sealFrame`, when the frame's position is known. */
export function encodeAppend(append: AppendFrame): EncodedFrame {
  const nameBytes = Buffer.byteLength(append.stream);
  const typeBytes = append.events.map(({ type }) => Buffer.byteLength(type));
  const start = frameHeaderBytes + appendHeaderBytes + nameBytes;
  const recordOffsets: number[] = [];
  let end = start;
  for (const [index, event] of append.events.entries()) {
    recordOffsets.push(end);
    end +=
      recordHeaderBytes + elementAt(typeBytes, index) + event.metadata.length + event.data.length;
  }
  // Not from Node's pool: records stay in a cache, and would keep whole slabs of the pool alive.
  const bytes = Buffer.allocUnsafeSlow(end);
  let at = frameHeaderBytes;
  at = bytes.writeUInt8(kinds[append.kind], at);
  at = bytes.writeUInt16LE(nameBytes, at);
  at = bytes.writeDoubleLE(append.firstRevision, at);
  at = bytes.writeDoubleLE(append.createdMs, at);
  at = bytes.writeUInt32LE(append.events.length, at);
  bytes.write(append.stream, at);
  for (const [index, event] of append.events.entries())
    encodeRecord(bytes, elementAt(recordOffsets, index), event, elementAt(typeBytes, index));
  return { bytes, recordOffsets };
}

/** Says that everything before it is on disk; holds no event. */
export function encodeMark(): EncodedFrame {
  const bytes = Buffer.alloc(frameHeaderBytes + 1);
  bytes.writeUInt8(kinds.mark, frameHeaderBytes);
  return { bytes, recordOffsets: [] };
}

function encodeRecord(bytes: Buffer, start: number, event: ProposedEvent, typeBytes: number): void {
  const recordBytes = recordHeaderBytes + typeBytes + event.metadata.length + event.data.length;
  let at = bytes.writeUInt32LE(recordBytes, start) + 4;
  at += event.id.copy(bytes, at);
  at = bytes.writeUInt8(event.json ? jsonFlag : 0, at);
  at = bytes.writeUInt16LE(typeBytes, at);
  at = bytes.writeUInt32LE(event.metadata.length, at);
  at += bytes.write(event.type, at);
  at += event.metadata.copy(bytes, at);
  event.data.copy(bytes, at);
  bytes.writeUInt32LE(crc32(bytes.subarray(start + 8, start + recordBytes)), start + 4);
}

/** Completes a frame for the place where it will lie. */
export function sealFrame(bytes: Buffer, position: number, durablePosition: number): void {
  frameMagic.copy(bytes, 0);
  bytes.writeUInt32LE(bytes.length - frameHeaderBytes, 4);
  bytes.writeDoubleLE(durablePosition, 12);
  bytes.writeUInt32LE(frameChecksum(bytes, position), 8);
}

export interface FrameView {
  /** The bytes of the frame, header included. */
  readonly bytes: Buffer;
  readonly durablePosition: number;
}

/** The frame at `offset` when it is whole and belongs there, else undefined. */
export function frameAt(buffer: Buffer, offset: number, position: number): FrameView | undefined {
  if (buffer.length - offset < frameHeaderBytes + 1) return undefined;
  if (frameMagic.compare(buffer, offset, offset + 4) !== 0) return undefined;
  const end = offset + frameHeaderBytes + buffer.readUInt32LE(offset + 4);
  if (end > buffer.length) return undefined;
  const bytes = buffer.subarray(offset, end);
  if (bytes.readUInt32LE(8) !== frameChecksum(bytes, position)) return undefined;
  return { bytes, durablePosition: bytes.readDoubleLE(12) };
}

/** The facts of a frame that an index needs. Payloads stay on the disk. */
export interface FrameSummary {
  readonly kind: 'append' | 'tombstone';
  readonly stream: string;
  readonly firstRevision: number;
  readonly createdMs: number;
  readonly recordOffsets: readonly number[];
}

/** Undefined for a mark. Throws when a frame with a good checksum has no meaning for this version. */
export function summarize(bytes: Buffer): FrameSummary | undefined {
  let at = frameHeaderBytes;
  const kind = bytes.readUInt8(at);
  if (kind === kinds.mark) return undefined;
  if (kind !== kinds.append && kind !== kinds.tombstone)
    throw new RangeError(`frame of unknown kind ${kind}`);
  const nameBytes = bytes.readUInt16LE(at + 1);
  const firstRevision = bytes.readDoubleLE(at + 3);
  const createdMs = bytes.readDoubleLE(at + 11);
  const count = bytes.readUInt32LE(at + 19);
  at += appendHeaderBytes;
  const stream = bytes.toString('utf8', at, at + nameBytes);
  at += nameBytes;
  const recordOffsets: number[] = [];
  for (let index = 0; index < count; index++) {
    recordOffsets.push(at);
    at += bytes.readUInt32LE(at);
  }
  const summary = { stream, firstRevision, createdMs, recordOffsets };
  return { kind: kind === kinds.append ? 'append' : 'tombstone', ...summary };
}

export interface RecordView extends ProposedEvent {
  readonly recordBytes: number;
}

/** The record at `offset`; undefined when it is cut short or its checksum is wrong. */
export function recordAt(buffer: Buffer, offset: number): RecordView | undefined {
  if (buffer.length - offset < recordHeaderBytes) return undefined;
  const recordBytes = buffer.readUInt32LE(offset);
  const end = offset + recordBytes;
  if (recordBytes < recordHeaderBytes || end > buffer.length) return undefined;
  if (crc32(buffer.subarray(offset + 8, end)) !== buffer.readUInt32LE(offset + 4)) return undefined;
  return checkedRecordAt(buffer, offset);
}

/** The same for a record in a frame whose checksum was found to be right. */
export function checkedRecordAt(buffer: Buffer, offset: number): RecordView {
  const recordBytes = buffer.readUInt32LE(offset);
  const typeAt = offset + recordHeaderBytes;
  const metadataAt = typeAt + buffer.readUInt16LE(offset + 25);
  const dataAt = metadataAt + buffer.readUInt32LE(offset + 27);
  return {
    recordBytes,
    id: buffer.subarray(offset + 8, offset + 24),
    json: (buffer.readUInt8(offset + 24) & jsonFlag) !== 0,
    type: buffer.toString('utf8', typeAt, metadataAt),
    metadata: buffer.subarray(metadataAt, dataAt),
    data: buffer.subarray(dataAt, offset + recordBytes),
  };
}

/** Returns the length in bytes of the record at `offset`. The first four bytes of the record must be there. */
export function recordBytesAt(buffer: Buffer, offset: number): number {
  return buffer.readUInt32LE(offset);
}

const checksumSeed = Buffer.alloc(8);

/** Bound to the position, so that a copy of a frame inside a payload is no frame. */
function frameChecksum(bytes: Buffer, position: number): number {
  checksumSeed.writeDoubleLE(position, 0);
  const head = crc32(bytes.subarray(4, 8), crc32(checksumSeed));
  return crc32(bytes.subarray(12), head);
}
