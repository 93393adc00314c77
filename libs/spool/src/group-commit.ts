import { setImmediate as nextTick } from 'node:timers/promises';
import {
  type CommitState as State,
  hurry,
  isWaiting,
  type Pending,
  stateAt,
} from './commit-state.ts';
import type { Fence } from './fence.ts';
import { frameBytes, frameHeaderBytes, writeFrame } from './frame.ts';
import { writeFully, writeIntoCache } from './segment.ts';
import type { Segments } from './segments.ts';

export interface CommitOptions {
  readonly segments: Segments;
  readonly segmentBytes: number;
  /** Asked before each write, and once more before a record is acknowledged. */
  readonly fence: Pick<Fence, 'assertHeld'>;
  /** Takes over everything that waits, once. The loop never writes again. */
  readonly onFailure: (error: unknown, unfinished: readonly Pending[]) => void;
}

/**
 * The one writer: whatever arrives while the disk is busy shares the next sync. Records whose caller waits for
 * `onWritten` are in the file before that sync begins, because the page cache does not wait for the disk.
 */
export interface GroupCommit {
  add(pending: Pending): void;
  /** Ends the wait of the records that can wait: something waits for one of them now. */
  hurry(): void;
  queuedBytes(): number;
  /** The highest sequence that is on disk. */
  durable(): bigint;
  /** Resolves when everything added before is on disk, or the loop has failed. */
  drained(): Promise<void>;
}

/** After so long without a record a mark is written. */
const idleMs = 20;
/**
 * A sync costs the processor as much as dozens of records do. While at least so many records share one, the
 * next waits for more: this long, or until an event loop tick brought none. A lone record never waits.
 */
const sharersMin = 3;
const gatherMsMax = 1;
/** A record that can wait is synced after this time at the latest. */
const waitMsMax = 10;
/** One write stays well below what a disk does in a few milliseconds. */
const batchBytesMax = 1_048_576;
/** Writes up to here are put together in the same memory, one after the other. */
const scratchBytes = 262_144;

export function groupCommit(options: CommitOptions): GroupCommit {
  const state = stateAt(options.segments.nextSequence);
  return {
    add(pending) {
      state.queue.push(pending);
      state.queuedBytes += pending.payload.length;
      if (pending.canWait !== true) hurry(state);
      start(state, options);
      if (state.endWait || (pending.onWritten && state.syncing.length > 0))
        state.early ??= setImmediate(writeEarly, state, options);
    },
    hurry: () => {
      if (state.queue.length + state.written.length > 0) hurry(state);
    },
    queuedBytes: () => state.queuedBytes,
    durable: () => state.durable,
    async drained() {
      while (state.running || state.idle) {
        hurry(state);
        if (!state.running) start(state, options);
        await state.running;
      }
    },
  };
}

function start(state: State, options: CommitOptions): void {
  clearTimeout(state.idle);
  state.idle = undefined;
  state.running ??= run(state, options);
}

/**
 * Commits until no record is pending. When none was pending at the start, writes a mark. An error is final: after a
 * failed sync the state of the disk is unknown.
 */
async function run(state: State, options: CommitOptions) {
  try {
    if (state.queue.length === 0) await mark(state, options);
    while (state.queue.length + state.written.length > 0 && !state.failed) {
      // Requests of the same tick of the event loop go into one write.
      await nextTick();
      if (state.isShared) await gathered(state);
      if (state.written.length === 0 && !isRoom(state, options))
        await options.segments.rotate(state.next);
      write(state, options);
      // The record that ended the wait is written first.
      if (!state.isUrgent && (await isHurried(state))) continue;
      await sync(state, options);
      options.segments.anticipate();
    }
    if (state.marked !== state.durable)
      state.idle = setTimeout(() => start(state, options), idleMs).unref();
    state.running = undefined;
  } catch (error) {
    state.failed = true;
    state.running = undefined;
    const unfinished = [...state.syncing, ...state.written, ...state.queue.splice(0)];
    state.syncing = [];
    state.written = [];
    state.queuedBytes = 0;
    options.onFailure(error, unfinished);
  }
}

/** Returns true when a record cannot wait, and false when those that can have waited long enough. */
async function isHurried(state: State): Promise<boolean> {
  const hurried = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(resolve, waitMsMax, false);
    state.endWait = () => {
      clearTimeout(timer);
      resolve(true);
    };
  });
  state.endWait = undefined;
  return hurried;
}

/** While the process is busy, more records will come; when it is idle, waiting gains nothing. */
async function gathered({ queue }: State): Promise<void> {
  const endMs = performance.now() + gatherMsMax;
  for (let count = 0; count < queue.length && performance.now() < endMs;) {
    count = queue.length;
    await nextTick();
  }
}

/** Writes the queue while the writer waits. Its failure ends the loop after the wait. */
function writeEarly(state: State, options: CommitOptions): void {
  state.early = undefined;
  if (!isWaiting(state) || state.error) return;
  try {
    if (isRoom(state, options)) write(state, options);
  } catch (error) {
    state.error = error as Error;
  }
  // A record that was not written waits for the next segment or the next sync.
  if (state.queue.length > 0 || state.error) hurry(state);
}

/** Returns true if the first record of the queue fits into the rest of the segment. */
function isRoom({ queue, unsyncedBytes }: State, { segments, segmentBytes }: CommitOptions) {
  const [first] = queue;
  const { end } = segments.active().segment;
  return !first || end + unsyncedBytes + frameBytes(first.payload.length) <= segmentBytes;
}

/** Takes as many records as fit: at least one, unless others wait for the same sync. */
function take(state: State, roomBytes: number): readonly Pending[] {
  let bytes = 0;
  let count = 0;
  for (const { payload } of state.queue) {
    bytes += frameBytes(payload.length);
    if (count + state.written.length > 0 && bytes > roomBytes) break;
    count++;
  }
  return state.queue.splice(0, count);
}

/** Writes as much of the queue as fits into the next sync and into the rest of the segment. */
function write(state: State, { segments, segmentBytes, fence }: CommitOptions): void {
  if (state.error) throw state.error;
  const { segment, file } = segments.active();
  const { durable } = state;
  const position = segment.end + state.unsyncedBytes;
  const batch = take(state, Math.min(segmentBytes - position, batchBytesMax - state.writtenBytes));
  if (batch.length === 0) return;
  state.written.push(...batch);
  const bytes = batch.reduce((sum, { payload }) => sum + frameBytes(payload.length), 0);
  const buffer = memoryFor(state, bytes);
  let offset = 0;
  for (const { payload } of batch) {
    const frame = { sequence: state.next++, durable, payload };
    offset = writeFrame(buffer, offset, segment.seed, frame);
    state.queuedBytes -= payload.length;
  }
  state.writtenBytes += bytes;
  state.unsyncedBytes += bytes;
  fence.assertHeld();
  writeIntoCache(file, buffer, position);
  for (const { onWritten } of batch) onWritten?.();
}

/** Waits for the disk, and acknowledges all that was written before. */
async function sync(state: State, { segments, fence }: CommitOptions): Promise<void> {
  const { segment, file } = segments.active();
  const { written: batch, writtenBytes: bytes } = state;
  state.syncing = batch;
  state.written = [];
  state.writtenBytes = 0;
  state.isUrgent = state.queue.some(({ canWait }) => canWait !== true);
  state.isShared = batch.length >= sharersMin;
  await file.datasync();
  if (state.error) throw state.error;
  fence.assertHeld();
  segment.end += bytes;
  state.unsyncedBytes -= bytes;
  state.syncing = [];
  const first = state.durable + 1n;
  state.durable += BigInt(batch.length);
  for (const [index, { resolve }] of batch.entries()) resolve(first + BigInt(index));
}

/** Exactly so many bytes, with anything in them, until the next write is put together. */
function memoryFor(state: State, bytes: number): Buffer {
  if (bytes > scratchBytes) return Buffer.allocUnsafeSlow(bytes);
  state.scratch ??= Buffer.allocUnsafeSlow(scratchBytes);
  return state.scratch.subarray(0, bytes);
}

/**
 * Records that all so far is on disk, without waiting for the disk. It distinguishes damage to the last records
 * from a torn tail.
 */
async function mark(state: State, { segments, segmentBytes, fence }: CommitOptions): Promise<void> {
  const { segment, file } = segments.active();
  const { durable } = state;
  if (state.marked === durable) return;
  state.marked = durable;
  if (segment.end + frameHeaderBytes > segmentBytes) return;
  const buffer = Buffer.alloc(frameHeaderBytes);
  writeFrame(buffer, 0, segment.seed, { sequence: durable, durable, payload: new Uint8Array() });
  fence.assertHeld();
  await writeFully(file, buffer, segment.end);
  segment.end += frameHeaderBytes;
}
