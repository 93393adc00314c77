import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makePrivateDirectory } from '@sluice/private-files';
import {
  type ByteRange,
  type FileKey,
  type FileStore,
  partsOf,
  StoreUnavailable,
} from './file-store.ts';
import { spoolContent } from './spool-content.ts';

export interface LocalFileStoreOptions {
  /** Created if absent, for its owner alone. One process writes to it. */
  readonly directory: string;
}

/** Keeps contents on the disk of this machine: `contents/<account>/<workspace>/<file>`. */
export async function openLocalFileStore({ directory }: LocalFileStoreOptions): Promise<FileStore> {
  const incoming = join(directory, 'incoming');
  const contents = join(directory, 'contents');
  for (const folder of [directory, incoming, contents]) await makePrivateDirectory(folder);
  // A crash has left them: their uploads were never answered.
  for (const name of await readdir(incoming)) await rm(join(incoming, name), { force: true });
  const pathOf = (key: FileKey) => join(contents, ...partsOf(key));
  return {
    async put(key, content, options) {
      const path = pathOf(key);
      const arriving = join(incoming, randomUUID());
      try {
        const stored = await spoolContent(arriving, content, options);
        if (typeof stored === 'string') return stored;
        await asStore(async () => {
          await mkdir(dirname(path), { recursive: true, mode: 0o700 });
          await rename(arriving, path);
          await syncFolders(dirname(path), contents);
        });
        return stored;
      } finally {
        await rm(arriving, { force: true });
      }
    },
    open: (key, range) =>
      asStore(async () => {
        const stream = createReadStream(pathOf(key), range && placesOf(range));
        try {
          await once(stream, 'open');
          return stream;
        } catch (error) {
          if (isMissing(error)) return undefined;
          throw error;
        }
      }),
    remove: (key) =>
      asStore(async () => {
        const path = pathOf(key);
        await rm(path, { force: true });
        await syncFolders(dirname(path), dirname(path)).catch((error: unknown) => {
          // No file of the workspace was ever stored.
          if (!isMissing(error)) throw error;
        });
      }),
  };
}

/** The places of the first and the last byte. */
const placesOf = ({ offset, length }: ByteRange) => ({ start: offset, end: offset + length - 1 });

/** Forces the entries of a folder, and of the folders above it up to another one, to the disk. */
async function syncFolders(folder: string, last: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (folder !== last) await syncFolders(dirname(folder), last);
}

async function asStore<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TypeError) throw error;
    throw new StoreUnavailable('The disk of the files does not answer', { cause: error });
  }
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';
