import { Fault } from '@sluice/errors';
import type { FileCalls } from './file-calls.ts';
import { partBytesMax } from './parts.ts';

export interface FileRef {
  readonly accountId: string;
  /** Empty: the default workspace of the account. */
  readonly workspaceId: string;
  readonly fileId: string;
  /** Exports of analytics are files, too. */
  readonly includesExports?: boolean | undefined;
}

/** Returns the content of a file in parts. Throws not_found, also when the file is deleted meanwhile. */
export async function* contentOf(
  calls: Pick<FileCalls, 'readFile'>,
  file: FileRef,
): AsyncGenerator<Buffer> {
  for (let offset = 0n; ;) {
    const { content, bytes } = await calls.readFile({ ...file, offset, length: partBytesMax });
    if (content.length === 0 && offset < bytes) throw new Fault('unavailable');
    yield content;
    offset += BigInt(content.length);
    if (offset >= bytes) return;
  }
}
