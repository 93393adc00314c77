import { access, chmod, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

export const ownerOnly = 0o700;
export const othersMask = 0o077;

/**
 * Makes a directory that only its owner may enter, and the missing ones above it. One that exists loses what
 * group and others may do. Rejects when it belongs to another user.
 */
export async function makePrivateDirectory(path: string): Promise<void> {
  await makeDirectories(path);
  const { mode } = await stat(path);
  // The mode of mkdir is cut by the umask; chmod is not.
  if ((mode & 0o777) !== ownerOnly) await chmod(path, ownerOnly);
}

/**
 * Creates parents one by one: Node's recursive mkdir never ends where nothing can be created, as in /proc. Another
 * process may create the same directories meanwhile.
 */
async function makeDirectories(path: string): Promise<void> {
  if (await made(path)) return;
  const parent = dirname(path);
  if (!(await exists(parent))) await makeDirectories(parent);
  if (!(await made(path))) await mkdir(path, { mode: ownerOnly });
}

/** False when the directory above it is missing. */
async function made(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: ownerOnly });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return false;
    if (code !== 'EEXIST') throw error;
    return true;
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
