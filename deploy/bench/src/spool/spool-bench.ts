import { join } from 'node:path';
import { openSpool } from '@sluice/spool';
import { measureDisk } from '../disk.ts';
import type { Measure } from '../measure.ts';
import { withScratch } from '../scratch.ts';
import { noteOf, repeat, type Timings } from '../timings.ts';

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
  return await withScratch(options.folder, 'spool', async (folder) => {
    const measureRaw = () => measureDisk(folder, { recordBytes, fileBytes: rawFileBytes });
    options.onProgress('the disk alone');
    const before = await measureRaw();
    const appends: { readonly writers: number; readonly measured: Timings }[] = [];
    for (const writers of writersOf) {
      options.onProgress(`${writers} writers`);
      const directory = join(folder, `${writers}`);
      appends.push({ writers, measured: await measureAppends(directory, writers) });
    }
    const after = await measureRaw();
    const rawPerSecond = (before.perSecond + after.perSecond) / 2;
    return [
      measureOf('disk: write + fdatasync, one at a time, before', before),
      ...appends.flatMap(({ writers, measured }) => measuresOf(writers, measured, rawPerSecond)),
      measureOf('disk: write + fdatasync, one at a time, after', after),
    ];
  });
}

function measuresOf(writers: number, measured: Timings, rawPerSecond: number): readonly Measure[] {
  const name = `durable appends, ${writers} ${writers === 1 ? 'writer' : 'writers'}`;
  return [
    measureOf(name, measured),
    {
      name: `${name}, of what the disk does alone`,
      value: measured.perSecond / rawPerSecond,
      unit: '×',
    },
  ];
}

function measureOf(name: string, timings: Timings): Measure {
  return { name, value: timings.perSecond, unit: '/s', note: noteOf(timings) };
}

/** In a closed loop: each writer appends its next record when the last one is on disk. */
async function measureAppends(directory: string, writers: number): Promise<Timings> {
  const spool = await openSpool({
    directory,
    onFatal(error) {
      throw error;
    },
  });
  const record = Buffer.alloc(recordBytes, 1);
  // Release synced records, so that the bench uses at most two segments of disk.
  const releasing = setInterval(() => void spool.release(spool.lastSequence()), 100);
  try {
    const act = () => spool.append(record);
    return await repeat({ warmUpMs, measureMs, inFlight: writers, act });
  } finally {
    clearInterval(releasing);
    await spool.stop();
  }
}
