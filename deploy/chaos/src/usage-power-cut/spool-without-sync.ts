import { open } from 'node:fs/promises';

/** A spool is laid out, as it should be, before this time has passed: what is lost are its records. */
const startMs = 2_000;

/**
 * `node --import` of this: routing's fdatasync does nothing and says that it was done, so that its spool is
 * no spool. Other processes are as they are.
 */
if (process.argv[1]?.includes('/services/routing/') === true) {
  const file = await open(process.execPath);
  const fileHandle = Object.getPrototypeOf(file) as { datasync: () => Promise<void> };
  const { datasync } = fileHandle;
  fileHandle.datasync = function lying(this: { datasync: () => Promise<void> }) {
    return performance.now() < startMs ? datasync.call(this) : Promise.resolve();
  };
  await file.close();
}
