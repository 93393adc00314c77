import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { cp, open as openFile, readdir, readFile, rm, truncate } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, test } from 'vitest';
import { frameHeaderBytes, readFrame, writeFrame } from './frame.ts';
import { SpoolDamaged } from './recovery.ts';
import { decodeHeader, segmentHeaderBytes } from './segment.ts';
import { openSpool } from './spool.ts';
import { scratchDirectory } from './testing/scratch-directory.ts';

const options = (directory: string) => ({
  directory,
  segmentBytes: 4_096,
  onFatal: (error: unknown) => {
    throw error;
  },
});

/** A closed spool with one record per write. */
async function written(records: readonly string[]) {
  const directory = await scratchDirectory();
  const spool = await openSpool(options(directory));
  for (const record of records) await spool.append(Buffer.from(record));
  await spool.stop();
  const names = (await readdir(directory)).filter((name) => name.endsWith('.segment'));
  const paths = names.toSorted((a, b) => (a < b ? -1 : 1));
  return { directory, paths: paths.map((name) => join(directory, name)) };
}

/** Returns the places of the frames of a segment, marks included. */
async function framesOf(path: string) {
  const bytes = await readFile(path);
  const seed = decodeHeader(bytes)?.seed ?? 0;
  const frames: { offset: number; bytes: number; isMark: boolean }[] = [];
  for (let offset = segmentHeaderBytes; ;) {
    const frame = readFrame(bytes, offset, seed);
    if (typeof frame !== 'object') return { bytes, seed, frames, end: offset };
    frames.push({ offset, bytes: frame.bytes, isMark: frame.payload.length === 0 });
    offset += frame.bytes;
  }
}

async function overwrite(path: string, offset: number, bytes: Uint8Array): Promise<void> {
  const file = await openFile(path, 'r+');
  await file.write(bytes, 0, bytes.length, offset);
  await file.close();
}

async function recover(directory: string) {
  const spool = await openSpool(options(directory));
  const records = await Array.fromAsync(spool.read(1n));
  const next = await spool.append(Buffer.from('next'));
  await spool.stop();
  return { records: records.map(({ payload }) => Buffer.from(payload).toString()), next, spool };
}

const copyOf = async (directory: string) => {
  const copy = await scratchDirectory();
  await cp(directory, copy, { recursive: true });
  return copy;
};

describe('a write that a crash cut off', () => {
  test('is cut off wherever it ended; all before it is there', async () => {
    const { directory, paths } = await written(['first', 'second', 'the last record']);
    const [path = ''] = paths;
    const { frames } = await framesOf(path);
    const last = frames.findLast(({ isMark }) => !isMark) ?? { offset: 0, bytes: 0 };
    for (let size = last.offset; size < last.offset + frameHeaderBytes + 15; size++) {
      const copy = await copyOf(directory);
      await truncate(join(copy, basename(path)), size);
      const { records, next, spool } = await recover(copy);
      deepEqual(records, ['first', 'second'], `cut at ${size}`);
      equal(next, 3n);
      const isClean = size === last.offset;
      deepEqual(
        spool.cut && [basename(spool.cut.file), spool.cut.offset],
        isClean ? undefined : [basename(path), last.offset],
      );
      equal((await recover(copy)).records.length, 3);
    }
  });

  test('is cut off when a later part of the same write reached the disk before it', async () => {
    const { directory, paths } = await written(['first']);
    const [path = ''] = paths;
    const { seed, end } = await framesOf(path);
    const batch = Buffer.alloc(200);
    const behind = writeFrame(batch, 0, seed, {
      sequence: 2n,
      durable: 1n,
      payload: Buffer.from('lost'),
    });
    writeFrame(batch, behind, seed, { sequence: 3n, durable: 1n, payload: Buffer.from('kept') });
    batch.fill(0, 0, behind);
    await overwrite(path, end, batch);
    const { records, next } = await recover(directory);
    deepEqual(records, ['first']);
    equal(next, 2n);
    deepEqual((await recover(directory)).records, ['first', 'next']);
  });
});

describe('a damaged record', () => {
  test('that was on disk refuses to start, naming file and offset, whichever bit it is', async () => {
    const { directory, paths } = await written(['first', 'second', 'third']);
    const [path = ''] = paths;
    const { bytes, frames } = await framesOf(path);
    const frame = frames.filter(({ isMark }) => !isMark)[1] ?? { offset: 0 };
    const significant = frameHeaderBytes + 'second'.length;
    for (let bit = 0; bit < significant * 8; bit += 5) {
      const copy = await copyOf(directory);
      const at = frame.offset + (bit >> 3);
      const flipped = Uint8Array.of((bytes[at] ?? 0) ^ (1 << (bit & 7)));
      await overwrite(join(copy, basename(path)), at, flipped);
      const error = await openSpool(options(copy)).catch((thrown: unknown) => thrown);
      ok(error instanceof SpoolDamaged, `bit ${bit} was not found`);
      equal(error.offset, frame.offset);
      match(error.message, /\d{20}\.segment at byte \d+/);
    }
  });

  test('refuses to start also when it is the last one', async () => {
    const { directory, paths } = await written(['first', 'second']);
    const [path = ''] = paths;
    const { frames } = await framesOf(path);
    const last = frames.findLast(({ isMark }) => !isMark) ?? { offset: 0 };
    await overwrite(path, last.offset + frameHeaderBytes, Buffer.from('X'));
    await rejects(openSpool(options(directory)), SpoolDamaged);
  });

  test('refuses to start when a whole page of it is zero', async () => {
    const { directory, paths } = await written(['first', 'x'.repeat(1_000), 'third']);
    const [path = ''] = paths;
    const { frames } = await framesOf(path);
    const frame = frames.filter(({ isMark }) => !isMark)[1] ?? { offset: 0 };
    await overwrite(path, frame.offset, Buffer.alloc(1_000));
    await rejects(openSpool(options(directory)), SpoolDamaged);
  });
});

describe('a segment', () => {
  const many = Array.from({ length: 12 }, () => 'x'.repeat(1_000));

  test('with a damaged header refuses to start', async () => {
    const { directory, paths } = await written(['first']);
    await overwrite(paths[0] ?? '', 9, Uint8Array.of(0xff));
    await rejects(openSpool(options(directory)), { message: /at byte 0: its header/ });
  });

  test('that is missing between others refuses to start', async () => {
    const { directory, paths } = await written(many);
    ok(paths.length > 2);
    await rm(paths[1] ?? '');
    await rejects(openSpool(options(directory)), SpoolDamaged);
  });

  test('that ends early while another follows refuses to start', async () => {
    const { directory, paths } = await written(many);
    await truncate(paths[0] ?? '', 2_000);
    await rejects(openSpool(options(directory)), SpoolDamaged);
  });

  test('left half made by a crash is no segment', async () => {
    const { directory } = await written(['first']);
    await overwriteNew(join(directory, 'spare.unused'));
    deepEqual((await recover(directory)).records, ['first']);
    deepEqual((await readdir(directory)).filter((name) => /segment|spare/.test(name)).length, 1);
  });
});

async function overwriteNew(path: string): Promise<void> {
  const file = await openFile(path, 'w');
  await file.write('half');
  await file.close();
}
