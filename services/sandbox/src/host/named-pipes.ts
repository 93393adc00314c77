import { execFile } from 'node:child_process';
import { constants, open as openFile } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Paths of the named pipes that the outputs of commands go through. */
export interface Pipes {
  readonly stdout: string;
  readonly stderr: string;
}

const run = promisify(execFile);

/** Makes the pipes of a box in its folder. */
export async function makePipes(folder: string): Promise<Pipes> {
  const pipes = { stdout: join(folder, 'stdout'), stderr: join(folder, 'stderr') };
  await run('mkfifo', ['-m', '666', pipes.stdout, pipes.stderr]);
  return pipes;
}

/** Opens a named pipe: `/dev/stdout` cannot be opened inside where an output is a socket. */
export async function openPipe(path: string, opened: number[], readers: Socket[]): Promise<number> {
  const fd = await openPath(path, constants.O_RDONLY | constants.O_NONBLOCK);
  // Before the socket begins to read: without a writer a named pipe is at its end.
  const written = await openFor(opened, path, constants.O_WRONLY);
  readers.push(new Socket({ fd, readable: true, writable: false }));
  return written;
}

const openPath = promisify(openFile) as (path: string, flags: number) => Promise<number>;

export async function openFor(opened: number[], path: string, flags: number): Promise<number> {
  const fd = await openPath(path, flags);
  opened.push(fd);
  return fd;
}
