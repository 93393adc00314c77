import { open } from 'node:fs/promises';

/**
 * `node --import` of this makes a disk that lies: fdatasync does nothing and says that it was done.
 * The control: with it the same test on the same node must find that acknowledged events are gone.
 */
const file = await open(process.execPath);
const fileHandle = Object.getPrototypeOf(file) as { datasync: () => Promise<void> };
fileHandle.datasync = async () => {};
await file.close();
