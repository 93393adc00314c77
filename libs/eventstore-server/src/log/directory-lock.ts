import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Another process, or another node in this one, has the directory open. */
export class DirectoryInUse extends Error {
  override readonly name = 'DirectoryInUse';

  constructor(directory: string) {
    super(`The directory ${directory} is in use by another event store node.`);
  }
}

export interface DirectoryLock {
  release(): void;
}

/**
 * A lock that the kernel holds and drops with the process, however it ends: nothing to clean up
 * after a kill, no pid that somebody else may have by now. Node has no call for it, SQLite has.
 */
export function lockDirectory(directory: string): DirectoryLock {
  const database = new DatabaseSync(join(directory, 'lock'));
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    const busyCode = 5;
    if ((error as { errcode?: number }).errcode === busyCode) throw new DirectoryInUse(directory);
    throw error;
  }
  return { release: () => database.close() };
}
