import { statSync } from 'node:fs';
import { type FileHandle, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '@sluice/errors';
import { syncDirectory, writeFully } from './segment.ts';

/** Shows a writer that a later one has opened the spool, where the file system keeps no locks. */
export interface Fence {
  /** One more at each opening of the directory. */
  readonly epoch: bigint;
  /** Throws spool_unavailable once another process has raised the fence. */
  assertHeld(): void;
  close(): Promise<void>;
}

const fenceName = 'fence';

/**
 * Replaces the file `fence` by one of the next epoch. The process of the earlier epoch then finds another file in
 * its place. The file stays open, so that no later file can have its inode number.
 */
export async function raiseFence(directory: string): Promise<Fence> {
  const path = join(directory, fenceName);
  const epoch = (await epochAt(path)) + 1n;
  const temporary = `${path}.${process.pid}.new`;
  const file: FileHandle = await open(temporary, 'w', 0o600);
  try {
    await writeFully(file, Buffer.from(`${epoch}\n`), 0);
    await file.sync();
    await rename(temporary, path);
    await syncDirectory(directory);
    const { dev, ino } = await file.stat({ bigint: true });
    return {
      epoch,
      assertHeld() {
        const current = statSync(path, { bigint: true, throwIfNoEntry: false });
        if (current?.dev === dev && current.ino === ino) return;
        const message = `The spool ${directory} was opened by another process after epoch ${epoch}: this one stops.`;
        throw new Fault('spool_unavailable', { message });
      },
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** 0 for a directory that was never opened, or by a version without fences. */
async function epochAt(path: string): Promise<bigint> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '0';
    throw error;
  });
  return /^\d{1,18}\n?$/.test(text) ? BigInt(text.trim()) : 0n;
}
