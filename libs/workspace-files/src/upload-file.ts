import { derivedId } from '@sluice/clock-and-ids';
import { Fault } from '@sluice/errors';
import type { CommandContext } from '@sluice/protos/sluice/context/v1/context';
import type { File } from '@sluice/protos/sluice/workspace/v1/file';
import type { FileCalls } from './file-calls.ts';
import { fullParts } from './parts.ts';

export interface NewFile {
  readonly context: CommandContext;
  /** Empty: the default workspace of the account. */
  readonly workspaceId: string;
  readonly name: string;
  /** Empty: not known. */
  readonly mediaType: string;
}

/**
 * Sends a content as it comes, and returns its file. Throws the error of the content, or a fault of the service: an
 * upload that fails leaves no file.
 */
export async function uploadFile(
  calls: Pick<FileCalls, 'beginUpload' | 'writePart' | 'completeUpload' | 'abandonUpload'>,
  { context, workspaceId, name, mediaType }: NewFile,
  content: AsyncIterable<Uint8Array>,
): Promise<File> {
  const { accountId, commandId } = context;
  const later = (what: string) => ({ ...context, commandId: derivedId(what, commandId) });
  const { fileId } = await calls.beginUpload({ context, workspaceId, name, mediaType });
  try {
    let offset = 0n;
    for await (const part of fullParts(content)) {
      await calls.writePart({ accountId, fileId, offset, content: part });
      offset += BigInt(part.length);
    }
    const { file } = await calls.completeUpload({ context: later('complete upload'), fileId });
    if (!file) throw new Fault('unavailable');
    return file;
  } catch (error) {
    // The service ends it by itself if this does not arrive.
    await calls
      .abandonUpload({ context: later('abandon this upload'), fileId })
      .catch(() => undefined);
    throw error;
  }
}
