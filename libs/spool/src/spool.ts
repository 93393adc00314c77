import { ok } from 'node:assert/strict';
import { mkdir, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Fault } from '@sluice/errors';
import type { Pending } from './commit-state.ts';
import { type Fence, raiseFence } from './fence.ts';
import { frameBytes, payloadBytesMax } from './frame.ts';
import { groupCommit } from './group-commit.ts';
import { lockDirectory } from './lock.ts';
import { readRecords, type SpoolRecord } from './read-records.ts';
import { SpoolDamaged } from './recovery.ts';
import { segmentHeaderBytes, syncDirectory } from './segment.ts';
import { openSegments, type Segments, type TornTail } from './segments.ts';

export interface SpoolOptions {
  readonly directory: string;
  readonly segmentBytes?: number;
  /**
   * Called once when a write or a sync failed: nothing can be promised any more, so the process
   * should stop admitting and end.
   */
  readonly onFatal: (error: unknown) => void;
}

export type AppendOptions = Pick<Pending, 'onWritten' | 'canWait'>;

/** An append-only log on the local disk: what it acknowledged survives kill -9 and a power cut. */
export interface Spool {
  /** Fixed when the directory was made: sequences of another epoch are of another log. */
  readonly epoch: bigint;
  /** The place where opening cut off an unfinished write. No caller had been promised it. */
  readonly cut: TornTail | undefined;
  /** Resolves with its sequence when the record is on disk. 1 byte to 1 MiB. Throws a Fault. */
  append(record: Uint8Array, options?: AppendOptions): Promise<bigint>;
  /** Ends the wait of the records that can wait: something waits for one of them now. */
  hurry(): void;
  /** The records on disk from a sequence on, in order; ends at what is the last one meanwhile. */
  read(fromSequence: bigint): AsyncIterable<SpoolRecord>;
  /** The records up to here are not needed any more: whole segments of them are deleted. */
  release(upToSequence: bigint): Promise<void>;
  /** The oldest sequence that is still kept, and the newest that is on disk (one less: empty). */
  firstSequence(): bigint;
  lastSequence(): bigint;
  /** Returns the size of its files on the disk. */
  bytes(): number;
  /** Returns the used share of the disk under the spool, from 0 to 1. */
  diskUsed(): Promise<number>;
  /** Waits until all appended records are on disk, then closes and unlocks. */
  stop(): Promise<void>;
}

const segmentBytesDefault = 64 * 1_048_576;
const segmentBytesMin = 4_096;
/** Records in memory that wait for the disk: beyond it the disk is too slow to go on. */
const queuedBytesMax = 64 * 1_048_576;

/**
 * Locks the directory, raises its fence, cuts off a torn tail and takes up the sequence where it stopped. Throws
 * SpoolDamaged, naming file and offset, when a promised record cannot be read, and
 * spool_unavailable when another process has the directory.
 */
export async function openSpool(options: SpoolOptions): Promise<Spool> {
  const { directory, segmentBytes = segmentBytesDefault } = options;
  ok(segmentBytes >= segmentBytesMin && segmentBytes % 8 === 0, 'a segment size');
  await makeDirectory(directory);
  const unlock = await lockDirectory(directory);
  let fence: Fence | undefined;
  const leave = async () => {
    await fence?.close();
    unlock();
  };
  try {
    fence = await raiseFence(directory);
    const segments = await openSegments(directory, segmentBytes);
    return running({ ...options, segmentBytes }, { segments, fence, leave });
  } catch (error) {
    await leave();
    throw error;
  }
}

interface Opened {
  readonly segments: Segments;
  readonly fence: Fence;
  readonly leave: () => Promise<void>;
}

interface RunningOptions extends SpoolOptions {
  readonly segmentBytes: number;
}

function running(
  { directory, segmentBytes, onFatal }: RunningOptions,
  { segments, fence, leave }: Opened,
): Spool {
  let refusal: Fault | undefined;
  let stopped: Promise<void> | undefined;
  const recordBytesMax = Math.min(
    payloadBytesMax,
    segmentBytes - segmentHeaderBytes - frameBytes(8),
  );
  const commit = groupCommit({
    segments,
    segmentBytes,
    fence,
    onFailure(cause, unfinished: readonly Pending[]) {
      refusal = new Fault('spool_unavailable', { cause });
      for (const { reject } of unfinished) reject(refusal);
      onFatal(cause);
    },
  });

  return {
    epoch: segments.epoch,
    cut: segments.cut,
    append(payload, options) {
      if (refusal) return Promise.reject(refusal);
      ok(payload.length > 0, 'a record has at least one byte');
      if (payload.length > recordBytesMax) return Promise.reject(new Fault('payload_too_large'));
      if (commit.queuedBytes() + payload.length > queuedBytesMax)
        return Promise.reject(new Fault('spool_unavailable'));
      return new Promise((resolve, reject) => commit.add({ ...options, payload, resolve, reject }));
    },
    hurry: () => commit.hurry(),
    async *read(fromSequence) {
      let next = maximum(fromSequence, firstOf(segments).firstSequence);
      while (next <= commit.durable()) {
        const segment = segments.list().findLast(({ firstSequence }) => firstSequence <= next);
        const before = next;
        if (segment)
          for await (const record of readRecords(segment, next)) {
            next = record.sequence + 1n;
            yield record;
          }
        if (next > before) continue;
        // Released while it was read: go on with the oldest one that is kept.
        const oldest = firstOf(segments);
        if (oldest.firstSequence <= next)
          throw new SpoolDamaged(oldest.path, oldest.end, `record ${next} cannot be read`);
        next = oldest.firstSequence;
      }
    },
    release: (upToSequence) => segments.release(upToSequence),
    firstSequence: () => firstOf(segments).firstSequence,
    lastSequence: () => commit.durable(),
    bytes: () => segments.list().length * segmentBytes,
    async diskUsed() {
      const { blocks, bavail } = await statfs(directory);
      return blocks === 0 ? 0 : 1 - bavail / blocks;
    },
    stop() {
      refusal ??= new Fault('spool_unavailable');
      stopped ??= (async () => {
        await commit.drained();
        await segments.close();
        await leave();
      })();
      return stopped;
    },
  };
}

function firstOf(segments: Segments) {
  const [first] = segments.list();
  ok(first, 'a spool has a segment');
  return first;
}

function maximum(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

async function makeDirectory(directory: string): Promise<void> {
  const made = await mkdir(directory, { recursive: true, mode: 0o700 });
  if (made !== undefined) await syncDirectory(dirname(made));
}
