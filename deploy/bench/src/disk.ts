import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { percentile } from './percentile.ts';

export interface Disk {
  readonly syncsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const recordBytesDefault = 600;
const measureMs = 3_000;

/**
 * Measures the disk below the folder alone: write one record, fdatasync, write the next one. The records overwrite
 * the same places of a preallocated file, as a preallocated log does.
 */
export async function measureDisk(
  folder: string,
  { recordBytes = recordBytesDefault, fileBytes = 0 } = {},
): Promise<Disk> {
  const path = join(folder, 'raw-disk');
  const file = await open(path, 'w');
  try {
    if (fileBytes > 0) {
      await file.write(Buffer.alloc(fileBytes), 0, fileBytes, 0);
      await file.sync();
    }
    const record = Buffer.alloc(recordBytes, 1);
    const samples: number[] = [];
    const startedMs = performance.now();
    let nowMs = startedMs;
    for (let offset = 0; nowMs - startedMs < measureMs; offset += recordBytes) {
      if (fileBytes > 0 && offset + recordBytes > fileBytes) offset = 0;
      await file.write(record, 0, recordBytes, offset);
      await file.datasync();
      const afterMs = performance.now();
      samples.push(afterMs - nowMs);
      nowMs = afterMs;
    }
    const seconds = (nowMs - startedMs) / 1000;
    return {
      syncsPerSecond: samples.length / seconds,
      p50Ms: percentile(samples, 0.5),
      p99Ms: percentile(samples, 0.99),
    };
  } finally {
    await file.close();
    await rm(path);
  }
}
