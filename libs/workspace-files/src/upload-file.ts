import { Fault } from '@sluice/errors';
import type { CommandContext } from '@sluice/protos/sluice/context/v1/context';
import { type File, UploadFileRequest } from '@sluice/protos/sluice/workspace/v1/file';
import type { FileCalls } from './file-calls.ts';
import { sizedParts } from './parts.ts';

export interface NewFile {
  readonly context: CommandContext;
  /** Empty: the default workspace of the account. */
  readonly workspaceId: string;
  readonly name: string;
  /** Empty: not known. */
  readonly mediaType: string;
  /** The file is an export of analytics. */
  readonly isExport?: boolean;
}

/**
 * Sends a content as it comes, and returns its file. Throws the error of the content, or a fault of the service: an
 * upload that fails leaves no file.
 */
export async function uploadFile(
  calls: Pick<FileCalls, 'uploadFile'>,
  described: NewFile,
  content: AsyncIterable<Uint8Array>,
): Promise<File> {
  const { file } = await calls.uploadFile(messagesOf(described, content));
  if (!file) throw new Fault('unavailable');
  return file;
}

async function* messagesOf(
  described: NewFile,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<UploadFileRequest> {
  yield UploadFileRequest.create(described);
  for await (const part of sizedParts(content)) yield UploadFileRequest.create({ content: part });
  yield UploadFileRequest.create({ isLast: true });
}
