import { Fault } from '@sluice/errors';
import { contentOf, type FileCalls } from '@sluice/workspace-files';

/** Far more than a model reads at once. */
const textBytesMax = 1_048_576;
const pageSize = 100;

/** The tool cannot do what the model asked. The model reads the message. */
export class FileProblem extends Error {}

export interface Workspace {
  readonly accountId: string;
  readonly workspaceId: string;
}

export interface TextFile {
  readonly fileId: string;
  readonly name: string;
  readonly mediaType: string;
  readonly text: string;
}

/** Reads a text file, by its id or by its name: then the latest of that name. Throws FileProblem. */
export async function readText(
  calls: FileCalls,
  workspace: Workspace,
  named: { readonly fileId: string | undefined; readonly name: string | undefined },
): Promise<TextFile> {
  const { fileId, name, mediaType, bytes } = await find(calls, workspace, named);
  if (bytes > textBytesMax)
    throw new FileProblem(`the file has ${bytes} bytes, and at most ${textBytesMax} can be read`);
  const parts = await Array.fromAsync(contentOf(calls, { ...workspace, fileId }));
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
    return { fileId, name, mediaType, text };
  } catch {
    throw new FileProblem('the file is no text in UTF-8');
  }
}

async function find(
  calls: FileCalls,
  workspace: Workspace,
  { fileId, name }: { readonly fileId: string | undefined; readonly name: string | undefined },
) {
  if (fileId !== undefined) {
    try {
      const { file } = await calls.getFile({ ...workspace, fileId });
      if (file) return file;
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'not_found') throw error;
    }
    throw new FileProblem(`there is no file ${fileId}`);
  }
  if (name === undefined) throw new FileProblem('file_id or filename is missing');
  for (let offset = 0; ; offset += pageSize) {
    const page = {
      ...workspace,
      namePart: name,
      offset,
      limit: pageSize,
      after: '',
      isAscending: false,
    };
    const { files, totalCount } = await calls.listFiles(page);
    const found = files.find((file) => file.name === name);
    if (found) return found;
    if (offset + pageSize >= totalCount)
      throw new FileProblem(`there is no file with the name ${name}`);
  }
}
