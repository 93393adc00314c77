import { open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

interface Syncing {
  datasync(): Promise<void>;
}

/**
 * Makes a disk that is slow, as `node --import slow-disk.ts?PART`: in programs whose path has PART, each fdatasync
 * begins late. So the power is often cut while records are written and not synced.
 */
const msMax = 60;
const part = new URL(import.meta.url).search.slice(1);
if (process.argv[1]?.includes(part) === true) {
  const file = await open(process.execPath);
  const fileHandle = Object.getPrototypeOf(file) as Syncing;
  const datasync = Reflect.get<Syncing, 'datasync'>(fileHandle, 'datasync');
  fileHandle.datasync = async function slow(this: Syncing) {
    await delay(Math.random() * msMax);
    await datasync.call(this);
  };
  await file.close();
}
