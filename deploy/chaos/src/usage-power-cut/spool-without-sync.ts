import { open } from 'node:fs/promises';

interface Syncing {
  datasync(): Promise<void>;
}

/**
 * `node --import` of this: routing's fdatasync does nothing and says that it was done, so that its spool is
 * no spool. The first one of each file lays the file out and is real: what is lost are its records. Other
 * processes are as they are.
 */
if (process.argv[1]?.includes('/services/routing/') === true) {
  const file = await open(process.execPath);
  const fileHandle = Object.getPrototypeOf(file) as Syncing;
  const datasync = Reflect.get<Syncing, 'datasync'>(fileHandle, 'datasync');
  const laidOut = new WeakSet<Syncing>();
  fileHandle.datasync = async function lying(this: Syncing) {
    if (laidOut.has(this)) return;
    laidOut.add(this);
    await datasync.call(this);
  };
  await file.close();
}
