import { setImmediate } from 'node:timers/promises';
import type { Fence } from './fence.ts';
import { frameBytes, frameHeaderBytes, writeFrame } from './frame.ts';
import { writeFully, writeIntoCache } from './segment.ts';
import type { Segments } from './segments.ts';

/** A record that waits for the disk. */
export interface Pending {
  readonly payload: Uint8Array;
  /**
   * Called when the record is in the file, before the disk is waited for: it survives kill -9 from then on, but no
   * power cut.
   */
  readonly onWritten?: (() => void) | undefined;
  /** Nothing waits for it, so it shares the sync of the next record that something waits for, within 10 ms. */
  readonly canWait?: boolean | undefined;
  readonly resolve: (sequence: bigint) => void;
  readonly reject: (error: unknown) => void;
}

export interface CommitOptions {
  readonly segments: Segments;
  readonly segmentBytes: number;
  /** Asked before each write, and once more before a record is acknowledged. */
  readonly fence: Pick<Fence, 'assertHeld'>;
  /** Takes over everything that waits, once. The loop never writes again. */
  readonly onFailure: (error: unknown, unfinished: readonly Pending[]) => void;
}

/** The one writer: whatever arrives while the disk is busy goes into the next write together. */
export interface GroupCommit {
  add(pending: Pending): void;
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
/** A record that can wait is written after this time at the latest. */
const waitMsMax = 10;
/** One write stays well below what a disk does in a few milliseconds. */
const batchBytesMax = 1_048_576;
/** Writes up to here are put together in the same memory, one after the other. */
const scratchBytes = 262_144;

interface State {
  readonly queue: Pending[];
  /** The number of records in the queue that cannot wait. */
  urgent: number;
  /** Ends the wait of the records that can. */
  hurry: (() => void) | undefined;
  /** The buffer of the last write. undefined before the first. */
  scratch: Buffer | undefined;
  queuedBytes: number;
  next: bigint;
  durable: bigint;
  marked: bigint;
  /** The last write was shared: so many come that waiting for more is worth it. */
  isShared: boolean;
  running: Promise<void> | undefined;
  idle: NodeJS.Timeout | undefined;
  failed: boolean;
}

export function groupCommit(options: CommitOptions): GroupCommit {
  const { nextSequence } = options.segments;
  const durable = nextSequence - 1n;
  const state: State = {
    queue: [],
    urgent: 0,
    hurry: undefined,
    scratch: undefined,
    queuedBytes: 0,
    next: nextSequence,
    durable,
    marked: durable,
    isShared: false,
    running: undefined,
    idle: undefined,
    failed: false,
  };
  return {
    add(pending) {
      state.queue.push(pending);
      state.queuedBytes += pending.payload.length;
      if (pending.canWait !== true) {
        state.urgent += 1;
        state.hurry?.();
      }
      start(state, options);
    },
    queuedBytes: () => state.queuedBytes,
    durable: () => state.durable,
    async drained() {
      while (state.running || state.idle) {
        state.hurry?.();
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
  const { segments, segmentBytes, onFailure } = options;
  let batch: readonly Pending[] = [];
  try {
    if (state.queue.length === 0) await mark(state, options);
    while (state.queue.length > 0 && !state.failed) {
      if (state.urgent === 0) await waited(state);
      // Requests of the same tick of the event loop go into one write.
      await setImmediate();
      if (state.isShared) await gathered(state);
      const first = state.queue[0] as Pending;
      if (segments.active().segment.end + frameBytes(first.payload.length) > segmentBytes)
        await segments.rotate(state.next);
      batch = take(state, segmentBytes - segments.active().segment.end);
      state.isShared = batch.length >= sharersMin;
      const firstSequence = state.next;
      await write(state, options, batch);
      for (const [index, { resolve }] of batch.entries()) resolve(firstSequence + BigInt(index));
      batch = [];
      segments.anticipate();
    }
    if (state.marked !== state.durable)
      state.idle = setTimeout(() => start(state, options), idleMs).unref();
    state.running = undefined;
  } catch (error) {
    state.failed = true;
    state.running = undefined;
    const unfinished = [...batch, ...state.queue.splice(0)];
    state.queuedBytes = 0;
    onFailure(error, unfinished);
  }
}

/** Returns when a record cannot wait, or those that can have waited long enough. */
async function waited(state: State): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, waitMsMax);
    state.hurry = () => {
      clearTimeout(timer);
      resolve();
    };
  });
  state.hurry = undefined;
}

/** While the process is busy, more records will come; when it is idle, waiting gains nothing. */
async function gathered({ queue }: State): Promise<void> {
  const endMs = performance.now() + gatherMsMax;
  for (let count = 0; count < queue.length && performance.now() < endMs;) {
    count = queue.length;
    await setImmediate();
  }
}

/** Takes as many records as fit into one write and into the rest of the segment: at least one. */
function take(state: State, roomBytes: number): readonly Pending[] {
  let bytes = 0;
  let count = 0;
  for (const { payload } of state.queue) {
    bytes += frameBytes(payload.length);
    if (count > 0 && bytes > Math.min(roomBytes, batchBytesMax)) break;
    count++;
  }
  const taken = state.queue.splice(0, count);
  for (const { canWait } of taken) if (canWait !== true) state.urgent -= 1;
  return taken;
}

async function write(
  state: State,
  { segments, fence }: CommitOptions,
  batch: readonly Pending[],
): Promise<void> {
  const { segment, file } = segments.active();
  const bytes = batch.reduce((sum, { payload }) => sum + frameBytes(payload.length), 0);
  const buffer = memoryFor(state, bytes);
  const { durable } = state;
  let offset = 0;
  for (const { payload } of batch) {
    const frame = { sequence: state.next++, durable, payload };
    offset = writeFrame(buffer, offset, segment.seed, frame);
    state.queuedBytes -= payload.length;
  }
  fence.assertHeld();
  writeIntoCache(file, buffer, segment.end);
  for (const { onWritten } of batch) onWritten?.();
  await file.datasync();
  fence.assertHeld();
  segment.end += bytes;
  state.durable = state.next - 1n;
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
