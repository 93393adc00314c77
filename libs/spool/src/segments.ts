import { randomInt } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { assertContinuous, recoverSegment, type RecoveredSegment } from './recovery.ts';
import {
  fillWithZeros,
  listSegments,
  prepareSpare,
  promoteSpare,
  removeSpare,
  type SegmentHeader,
  segmentHeaderBytes,
  syncDirectory,
} from './segment.ts';

/** A segment as the running spool knows it. */
export interface Segment extends SegmentHeader {
  readonly path: string;
  /** The end of its last durable frame. Readers may read up to here. */
  end: number;
}

/** The files of one spool: the last one is open for writing, one of zeros waits to follow it. */
export interface Segments {
  readonly epoch: bigint;
  readonly nextSequence: bigint;
  /** The place where an unfinished write was cut off. undefined: there was none. */
  readonly cut: TornTail | undefined;
  /** In order; never empty. */
  list(): readonly Segment[];
  active(): { readonly segment: Segment; readonly file: FileHandle };
  /** Prepares the next file in the background once the active one is half full. */
  anticipate(): void;
  /** Starts a new file, on disk with its name; the caller has synced the one before. */
  rotate(firstSequence: bigint): Promise<void>;
  /** Deletes whole segments whose last record is at or below, never the active one. */
  release(upToSequence: bigint): Promise<void>;
  close(): Promise<void>;
}

export interface TornTail {
  readonly file: string;
  readonly offset: number;
}

interface State {
  readonly directory: string;
  readonly segmentBytes: number;
  readonly segments: Segment[];
  readonly epoch: bigint;
  file: FileHandle;
  spare: Promise<FileHandle> | undefined;
}

/** Recovers what the directory holds or begins with record 1. Throws SpoolDamaged. */
export async function openSegments(directory: string, segmentBytes: number): Promise<Segments> {
  const recovered: RecoveredSegment[] = [];
  for (const path of await listSegments(directory)) recovered.push(await recoverSegment(path));
  assertContinuous(recovered);
  const last = recovered.at(-1);
  if (!last) return await begin(directory, segmentBytes);
  const file = await open(last.path, 'r+');
  const { size } = await file.stat();
  if (last.isTorn || size < segmentBytes)
    await fillWithZeros(file, last.end, Math.max(size, segmentBytes));
  // The writes of a killed process may be in the page cache only. From here they count as durable.
  await file.sync();
  const cut = last.isTorn ? { file: last.path, offset: last.end } : undefined;
  const segments = recovered.map(({ path, end, firstSequence, epoch, seed }) => {
    return { path, end, firstSequence, epoch, seed };
  });
  const { epoch, nextSequence } = last;
  const state: State = { directory, segmentBytes, segments, epoch, file, spare: undefined };
  return { ...operations(state), nextSequence, cut };
}

async function begin(directory: string, segmentBytes: number): Promise<Segments> {
  const file = await prepareSpare(directory, segmentBytes);
  const header = { firstSequence: 1n, epoch: BigInt(Date.now()), seed: newSeed() };
  const path = await promoteSpare(directory, file, header);
  const segments = [{ ...header, path, end: segmentHeaderBytes }];
  const { epoch } = header;
  const state: State = { directory, segmentBytes, segments, epoch, file, spare: undefined };
  return { ...operations(state), nextSequence: header.firstSequence, cut: undefined };
}

function operations(state: State): Omit<Segments, 'nextSequence' | 'cut'> {
  const { directory, segments, epoch, segmentBytes } = state;
  const prepare = () => {
    state.spare = prepareSpare(directory, segmentBytes);
    // Reported by the rotation that needs it.
    state.spare.catch(() => {});
  };
  return {
    epoch,
    list: () => segments,
    active: () => ({ segment: segments.at(-1) as Segment, file: state.file }),
    anticipate() {
      const { end } = segments.at(-1) as Segment;
      if (!state.spare && end > segmentBytes / 2) prepare();
    },
    async rotate(firstSequence) {
      const next = await (state.spare ?? prepareSpare(directory, segmentBytes));
      state.spare = undefined;
      const header = { firstSequence, epoch, seed: newSeed() };
      const path = await promoteSpare(directory, next, header);
      segments.push({ ...header, path, end: segmentHeaderBytes });
      await state.file.close();
      state.file = next;
    },
    async release(upToSequence) {
      let removed = 0;
      for (;;) {
        const following = segments[1];
        if (!following || following.firstSequence - 1n > upToSequence) break;
        const [segment] = segments.splice(0, 1);
        if (segment) await rm(segment.path, { force: true });
        removed++;
      }
      if (removed > 0) await syncDirectory(directory);
    },
    async close() {
      const spare = await state.spare?.catch(() => undefined);
      state.spare = undefined;
      await spare?.close();
      await removeSpare(directory);
      await state.file.close();
    },
  };
}

function newSeed(): number {
  return randomInt(2 ** 32);
}
