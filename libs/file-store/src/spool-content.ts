import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import {
  type PutFailure,
  type PutOptions,
  type StoredFile,
  StoreUnavailable,
} from './file-store.ts';

/**
 * Writes a content to a new file as it comes, counts and hashes it, and forces it to the disk. Rejects with
 * StoreUnavailable, or with the error of the content.
 */
export async function spoolContent(
  path: string,
  content: AsyncIterable<Uint8Array>,
  { bytesMax }: PutOptions,
): Promise<StoredFile | PutFailure> {
  const hash = createHash('sha256');
  let bytes = 0;
  const file = await open(path, 'wx', 0o600).catch(fail);
  try {
    for await (const chunk of content) {
      bytes += chunk.byteLength;
      if (bytes > bytesMax) return 'too_large';
      hash.update(chunk);
      await file.writev([chunk]).catch(fail);
    }
    if (bytes === 0) return 'empty';
    await file.datasync().catch(fail);
  } finally {
    await file.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}

function fail(cause: unknown): never {
  throw new StoreUnavailable('The disk of the files does not take the content', { cause });
}
