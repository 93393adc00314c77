import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { DirectorySource, Pulled } from './directory-source.ts';
import { parseDirectory } from './parse-directory.ts';

const fileBytesMax = 16 * 1024 * 1024;

/** One file per organization in a folder: `<account id>.json`. */
export function fileDirectory(folder: string): DirectorySource {
  return {
    async pull(accountId) {
      try {
        return await read(join(folder, `${accountId}.json`));
      } catch (error) {
        const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
        const reason = isMissing
          ? 'The directory does not know this organization'
          : 'The directory cannot be read';
        return { kind: 'failed', reason };
      }
    },
  };
}

async function read(file: string): Promise<Pulled> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    if (size > fileBytesMax)
      return { kind: 'failed', reason: `The directory is larger than ${fileBytesMax} bytes` };
    return parseDirectory(await handle.readFile('utf8'));
  } finally {
    await handle.close();
  }
}
