import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openSpool } from '@sluice/spool';
import { type Disk, measureDisk } from '../disk.ts';
import type { Measure } from '../measure.ts';
import { percentile } from '../percentile.ts';

export interface SpoolBenchOptions {
  /** On the disk that is measured. What is made in it is removed again. */
  readonly folder: string;
  readonly onProgress: (line: string) => void;
}

/** About what an intent or a final takes. */
const recordBytes = 700;
const writersOf = [1, 8, 64] as const;
const warmUpMs = 1_000;
const measureMs = 5_000;
const rawFileBytes = 64 * 1_048_576;

/** Durable appends by so many writers at once, beside one record and one fdatasync after the other. */
export async function spoolBench(options: SpoolBenchOptions): Promise<readonly Measure[]> {
  await mkdir(options.folder, { recursive: true });
  const folder = await mkdtemp(join(options.folder, 'spool-'));
  try {
    const measureRaw = () => measureDisk(folder, { recordBytes, fileBytes: rawFileBytes });
    options.onProgress('the disk alone');
    const before = await measureRaw();
    const appends: { readonly writers: number; readonly measured: Disk }[] = [];
    for (const writers of writersOf) {
      options.onProgress(`${writers} writers`);
      const directory = join(folder, `${writers}`);
      appends.push({ writers, measured: await measureAppends(directory, writers) });
    }
    const after = await measureRaw();
    const rawPerSecond = (before.syncsPerSecond + after.syncsPerSecond) / 2;
    return [
      measureOf('disk: write + fdatasync, one at a time, before', before),
      ...appends.flatMap(({ writers, measured }) => measuresOf(writers, measured, rawPerSecond)),
      measureOf('disk: write + fdatasync, one at a time, after', after),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function measuresOf(writers: number, measured: Disk, rawPerSecond: number): readonly Measure[] {
  const name = `durable appends, ${writers} ${writers === 1 ? 'writer' : 'writers'}`;
  return [
    measureOf(name, measured),
    {
      name: `${name}, of what the disk does alone`,
      value: measured.syncsPerSecond / rawPerSecond,
      unit: '×',
    },
  ];
}

function measureOf(name: string, { syncsPerSecond: value, p50Ms, p99Ms }: Disk): Measure {
  const note = `p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`;
  return { name, value, unit: '/s', note };
}

/** In a closed loop: each writer appends its next record when the last one is on disk. */
async function measureAppends(directory: string, writers: number): Promise<Disk> {
  const spool = await openSpool({
    directory,
    onFatal(error) {
      throw error;
    },
  });
  const record = Buffer.alloc(recordBytes, 1);
  const samples: number[] = [];
  const measuredFromMs = performance.now() + warmUpMs;
  const endMs = measuredFromMs + measureMs;
  const write = async () => {
    for (let nowMs = performance.now(); nowMs < endMs;) {
      await spool.append(record);
      const afterMs = performance.now();
      if (nowMs >= measuredFromMs && afterMs < endMs) samples.push(afterMs - nowMs);
      nowMs = afterMs;
    }
  };
  try {
    const writing = Array.from({ length: writers }, write);
    // Release synced records, so that the bench uses at most two segments of disk.
    const releasing = setInterval(() => void spool.release(spool.lastSequence()), 100);
    await Promise.all(writing).finally(() => clearInterval(releasing));
  } finally {
    await spool.stop();
  }
  return {
    syncsPerSecond: samples.length / (measureMs / 1000),
    p50Ms: percentile(samples, 0.5),
    p99Ms: percentile(samples, 0.99),
  };
}
