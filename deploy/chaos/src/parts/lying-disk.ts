import { open } from 'node:fs/promises';

interface Syncing {
  datasync(): Promise<void>;
  sync(): Promise<void>;
}

/**
 * Makes a disk that lies, as `node --import lying-disk.ts?PART`: in programs whose path has PART, fdatasync does
 * nothing and reports success. The first one of each file is real, and the first one behind each fsync: they lay the
 * file out, and the records behind them are lost.
 */
const part = new URL(import.meta.url).search.slice(1);
if (process.argv[1]?.includes(part) === true) {
  const file = await open(process.execPath);
  const fileHandle = Object.getPrototypeOf(file) as Syncing;
  const datasync = Reflect.get<Syncing, 'datasync'>(fileHandle, 'datasync');
  const sync = Reflect.get<Syncing, 'sync'>(fileHandle, 'sync');
  const laidOut = new WeakSet<Syncing>();
  fileHandle.datasync = async function lying(this: Syncing) {
    if (laidOut.has(this)) return;
    laidOut.add(this);
    await datasync.call(this);
  };
  fileHandle.sync = async function honest(this: Syncing) {
    laidOut.delete(this);
    await sync.call(this);
  };
  await file.close();
}
