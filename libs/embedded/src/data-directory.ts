import { access, constants, mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SetupProblem } from './setup-problem.ts';

export interface DataDirectory {
  readonly path: string;
  release(): void;
}

const sqliteBusy = 5;

/**
 * Makes the directory and holds it for this process alone. The lock is the kernel's, taken through
 * a database file: it ends with the process, however that ends, so none is ever stale.
 */
export async function lockDataDirectory(directory: string): Promise<DataDirectory> {
  const path = resolve(directory);
  try {
    await makeFolders(path);
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new SetupProblem(
      `The data directory ${path} cannot be written: set SLUICE_DATA_DIR to another.`,
      { cause },
    );
  }
  const release = holdLock(path);
  return { path, release };
}

/** One by one: Node's recursive way never ends where nothing can be made, as in /proc. */
async function makeFolders(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    const parent = dirname(path);
    if (code !== 'ENOENT' || (await exists(parent))) throw error;
    await makeFolders(parent);
    await mkdir(path, { mode: 0o700 });
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function holdLock(path: string): () => void {
  let file: DatabaseSync | undefined;
  try {
    file = new DatabaseSync(join(path, 'lock'), { timeout: 0 });
    file.exec('BEGIN EXCLUSIVE');
    return () => file?.close();
  } catch (cause) {
    file?.close();
    const inUse = (cause as { errcode?: number }).errcode === sqliteBusy;
    throw new SetupProblem(
      inUse
        ? `The data directory ${path} is in use by another Sluice: stop that one, or set SLUICE_DATA_DIR.`
        : `The data directory ${path} cannot be locked: ${String(cause)}.`,
      { cause },
    );
  }
}
