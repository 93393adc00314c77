import { stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { Fault } from '@sluice/errors';

/**
 * Two writers would tear each other's log. The lock is a socket name in the kernel, made of the
 * directory's device and inode: it ends with the process, however that ends. Linux only; elsewhere
 * nothing keeps a second process out.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  if (process.platform !== 'linux') return async () => {};
  const { dev, ino } = await stat(directory, { bigint: true });
  const server = createServer((socket) => socket.destroy());
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen({ path: `\0sluice-spool-${dev}-${ino}` }, resolve);
  try {
    await promise;
  } catch (cause) {
    const message = `The spool ${directory} is in use by another process`;
    throw new Fault('spool_unavailable', { message, cause });
  }
  server.unref();
  return () => new Promise((done) => void server.close(() => done()));
}
