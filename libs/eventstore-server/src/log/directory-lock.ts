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
 * Takes a lock that the kernel releases when the process ends in any way. A kill leaves nothing to clean up,
 * and a reused pid does no harm. Node has no call for file locks, so SQLite takes it.
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
