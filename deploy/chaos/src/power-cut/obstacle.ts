import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeLoopDisk } from './loop-disk.ts';

/** Why mounts of our own cannot be had here, in a sentence; undefined when they can. */
export async function mountObstacle(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'it needs Linux';
  if (process.getuid?.() !== 0) return 'it mounts file systems and needs root';
  return await promisify(execFile)('unshare', ['--mount', '--propagation', 'private', 'true']).then(
    () => undefined,
    (error: Error) => `mounts of its own are not allowed here (${lastLine(error)})`,
  );
}

/** Tries one cut in `folder`. Why power cannot be cut here, in a sentence; undefined when it can. */
export async function cutObstacle(folder: string): Promise<string | undefined> {
  try {
    const disk = await makeLoopDisk(folder);
    try {
      await disk.mount();
      await writeFile(join(disk.path, 'unsynced'), 'gone');
      await disk.cutPower();
      await disk.unmount();
      await disk.mount();
      const kept = (await readdir(disk.path)).includes('unsynced');
      return kept ? 'a disk that is cut keeps here what was not synced' : undefined;
    } finally {
      await disk.unmount();
    }
  } catch (error) {
    return `a file system in a file cannot be mounted and cut here (${lastLine(error as Error)})`;
  }
}

function lastLine({ message }: Error): string {
  return message.trim().split('\n').at(-1) ?? '';
}
