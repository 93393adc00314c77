import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Fault } from '@sluice/errors';

const sqliteBusy = 5;

/**
 * Locks the file `lock` of the directory, so that two writers never tear each other's log. The kernel holds
 * the lock on the file itself: it holds between containers that share a volume, and it ends with the process.
 * Throws spool_unavailable when another process has it.
 */
export async function lockDirectory(directory: string): Promise<() => void> {
  const path = join(directory, 'lock');
  let file: DatabaseSync | undefined;
  try {
    file = new DatabaseSync(path, { timeout: 0 });
    file.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    await chmod(path, 0o600);
  } catch (cause) {
    file?.close();
    const isBusy = (cause as { errcode?: number }).errcode === sqliteBusy;
    throw new Fault('spool_unavailable', {
      message: isBusy
        ? `The spool ${directory} is in use by another process: give each replica a data directory of its own.`
        : `The spool ${directory} cannot be locked: ${String(cause)}.`,
      cause,
    });
  }
  const held = file;
  return () => held.close();
}
