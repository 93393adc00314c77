import { access, constants } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { closeToOthers, makePrivateDirectory } from '@sluice/private-files';
import { SetupProblem } from './setup-problem.ts';

export interface DataDirectory {
  readonly path: string;
  release(): void;
}

const sqliteBusy = 5;

/**
 * Makes the directory, closes it and all that is in it to other users, and holds it for this process alone. The
 * lock is the kernel's, taken through a database file: it ends with the process, however that ends, so none is ever
 * stale.
 */
export async function lockDataDirectory(directory: string): Promise<DataDirectory> {
  const path = resolve(directory);
  try {
    await makePrivateDirectory(path);
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new SetupProblem(
      `The data directory ${path} cannot be written: set SLUICE_DATA_DIR to another.`,
      { cause },
    );
  }
  const release = holdLock(path);
  try {
    await closeToOthers(path);
  } catch (cause) {
    release();
    throw new SetupProblem(
      `The data directory ${path} holds files that cannot be closed to others: chmod -R go= ${path}.`,
      { cause },
    );
  }
  return { path, release };
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
