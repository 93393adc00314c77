import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { repeat, type Timings } from './timings.ts';

const recordBytesDefault = 600;
const measureMs = 3_000;

/**
 * Measures the disk below the folder alone: write one record, fdatasync, write the next one. The records overwrite
 * the same places of a preallocated file, as a preallocated log does.
 */
export async function measureDisk(
  folder: string,
  { recordBytes = recordBytesDefault, fileBytes = 0 } = {},
): Promise<Timings> {
  const path = join(folder, 'raw-disk');
  const file = await open(path, 'w');
  try {
    if (fileBytes > 0) {
      await file.write(Buffer.alloc(fileBytes), 0, fileBytes, 0);
      await file.sync();
    }
    const record = Buffer.alloc(recordBytes, 1);
    let offset = 0;
    const act = async () => {
      if (fileBytes > 0 && offset + recordBytes > fileBytes) offset = 0;
      await file.write(record, 0, recordBytes, offset);
      await file.datasync();
      offset += recordBytes;
    };
    return await repeat({ warmUpMs: 0, measureMs, inFlight: 1, act });
  } finally {
    await file.close();
    await rm(path);
  }
}
