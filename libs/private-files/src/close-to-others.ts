import { constants } from 'node:fs';
import { lstat, open, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { othersMask } from './private-directory.ts';

/**
 * Takes all permissions of group and others away from a directory and everything below it. Symbolic links are
 * not followed. What belongs to another user stays as it is: as root we would otherwise change files at the
 * wish of that user.
 */
export async function closeToOthers(path: string): Promise<void> {
  const found = await lstat(path).catch(ignoreMissing);
  if (!found || found.uid !== process.getuid?.()) return;
  if (!found.isDirectory() && !found.isFile()) return;
  if ((found.mode & othersMask) !== 0) await close(path);
  if (!found.isDirectory()) return;
  const directory = await opendir(path).catch(ignoreMissing);
  if (directory) for await (const { name } of directory) await closeToOthers(join(path, name));
}

/** Changes the file that was looked at, not one that a link with its name leads to. */
async function close(path: string): Promise<void> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(ignoreMissing);
  if (!file) return;
  try {
    const { mode } = await file.stat();
    await file.chmod(mode & 0o700);
  } finally {
    await file.close();
  }
}

/** Something that runs may take a file away meanwhile, or put a link in its place. */
function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ELOOP') return undefined;
  throw error;
}
