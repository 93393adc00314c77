import { randomInt } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { assertContinuous, recoverSegment, type RecoveredSegment } from './recovery.ts';
import {
  fillWithZeros,
  listSegments,
  type SegmentHeader,
  segmentHeaderBytes,
  segmentPath,
  syncDirectory,
  writeHeader,
} from './segment.ts';
import { removeSpare, renameSpare, Spare } from './spare.ts';

/** A segment as the running spool knows it. */
export interface Segment extends SegmentHeader {
  readonly path: string;
  /** The end of its last durable frame. Readers may read up to here. */
  end: number;
  /** True once the records are not needed any more: the file may be overwritten. */
  isReleased: boolean;
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
  /** Prepares the next file in the background once the active one is half full, unless a released one became it. */
  anticipate(): void;
  /** Starts a new file, on disk with its name; the caller has synced the one before. */
  rotate(firstSequence: bigint): Promise<void>;
  /** Deletes whole segments whose last record is at or below, never the active one. One may become the next file. */
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
  spare: Spare | undefined;
}

/** Recovers what the directory holds or begins with record 1. Throws SpoolDamaged. */
export async function openSegments(directory: string, segmentBytes: number): Promise<Segments> {
  await removeSpare(directory);
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
    return { path, end, firstSequence, epoch, seed, isReleased: false };
  });
  const { epoch, nextSequence } = last;
  const state: State = { directory, segmentBytes, segments, epoch, file, spare: undefined };
  return { ...operations(state), nextSequence, cut };
}

async function begin(directory: string, segmentBytes: number): Promise<Segments> {
  const file = await new Spare({ directory, bytes: segmentBytes }).take();
  const header = { firstSequence: 1n, epoch: BigInt(Date.now()), seed: newSeed() };
  const path = await named(directory, file, header);
  const segments = [{ ...header, path, end: segmentHeaderBytes, isReleased: false }];
  const { epoch } = header;
  const state: State = { directory, segmentBytes, segments, epoch, file, spare: undefined };
  return { ...operations(state), nextSequence: header.firstSequence, cut: undefined };
}

function operations(state: State): Omit<Segments, 'nextSequence' | 'cut'> {
  const { directory, segments, epoch, segmentBytes } = state;
  return {
    epoch,
    list: () => segments,
    active: () => ({ segment: segments.at(-1) as Segment, file: state.file }),
    anticipate() {
      const { end } = segments.at(-1) as Segment;
      if (end > segmentBytes / 2) state.spare ??= new Spare({ directory, bytes: segmentBytes });
    },
    async rotate(firstSequence) {
      const spare = (state.spare ??= new Spare({ directory, bytes: segmentBytes }));
      const next = await spare.take();
      const header = { firstSequence, epoch, seed: newSeed() };
      const path = await named(directory, next, header);
      state.spare = undefined;
      segments.push({ ...header, path, end: segmentHeaderBytes, isReleased: false });
      await state.file.close();
      state.file = next;
    },
    async release(upToSequence) {
      const released: Segment[] = [];
      for (;;) {
        const following = segments[1];
        if (!following || following.firstSequence - 1n > upToSequence) break;
        released.push(...segments.splice(0, 1));
      }
      for (const segment of released) segment.isReleased = true;
      const last = released.pop();
      if (!last) return;
      // In order: a crash leaves no gap.
      for (const { path } of released) await rm(path, { force: true });
      if (state.spare) await rm(last.path, { force: true });
      else
        await (state.spare = new Spare({ directory, bytes: segmentBytes, from: last.path }))
          .renamed;
      await syncDirectory(directory);
    },
    async close() {
      await state.spare?.discard();
      state.spare = undefined;
      await state.file.close();
    },
  };
}

/** Returns the path of the spare that became a segment, on disk with its header and its name. */
async function named(directory: string, file: FileHandle, header: SegmentHeader): Promise<string> {
  await writeHeader(file, header);
  const path = segmentPath(directory, header.firstSequence);
  await renameSpare(directory, path);
  return path;
}

function newSeed(): number {
  return randomInt(2 ** 32);
}
