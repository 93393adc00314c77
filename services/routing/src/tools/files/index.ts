import type { JsonObject } from '@sluice/client-schemas';
import { derivedId } from '@sluice/clock-and-ids';
import { Fault } from '@sluice/errors';
import type { File } from '@sluice/protos/sluice/workspace/v1/file';
import { type FileCalls, uploadFile } from '@sluice/workspace-files';
import { errorResult, type ServerTool, type ToolContext, type ToolResult } from '../tool.ts';
import { type FilesArguments, filesArguments } from './arguments.ts';
import { FileProblem, readText, type Workspace } from './text-file.ts';

export interface FilesToolOptions {
  /** Absent: there are no files here. */
  readonly files?: FileCalls | undefined;
}

const filesShownMax = 100;
const latestFirst = { after: '', isAscending: false };

/** The result of an operation for the model, and the file that it was about. */
interface Done {
  readonly result: JsonObject;
  readonly fileId?: string;
  readonly name?: string;
}

/** Returns the tool that works on text files of the workspace of the key (contract inference.md 5.7). */
export function filesTool({ files }: FilesToolOptions): ServerTool {
  return {
    type: 'service:files',
    asFunction: () => ({
      description:
        'Lists, reads and writes text files of the workspace. No operation changes a file: edit writes a new one.',
      parameters: filesArguments,
    }),
    worstCost: () => 0n,
    opening: (args, { callId }) => openingOf(args as FilesArguments, callId),
    async run(args, context): Promise<ToolResult> {
      const asked = args as FilesArguments;
      const item = { ...openingOf(asked, context.callId), arguments: JSON.stringify(args) };
      if (!files) return failed('there are no files here', item);
      try {
        const { result, fileId, name } = await carryOut(files, asked, context);
        const of = {
          ...(fileId !== undefined && { file_id: fileId }),
          ...(name !== undefined && { filename: name }),
        };
        const told = JSON.stringify(result);
        return { output: JSON.stringify({ result }), item: { ...item, ...of, result: told } };
      } catch (error) {
        return failed(problemOf(error), item);
      }
    },
    replay: ({ arguments: args, operation, file_id, filename, result, error }) => {
      if (typeof operation !== 'string') return undefined;
      const called =
        typeof args === 'string' ? args : JSON.stringify({ operation, file_id, filename });
      const output =
        typeof result === 'string' ? `{"result":${result}}` : JSON.stringify({ error });
      return { arguments: called, output };
    },
  };
}

function openingOf({ operation, file_id, filename }: FilesArguments, callId: string) {
  return {
    operation,
    ...(file_id !== undefined && { file_id }),
    ...(filename !== undefined && { filename }),
    call_id: callId,
  };
}

const failed = (error: string, item: JsonObject): ToolResult =>
  errorResult(error, { ...item, error });

async function carryOut(
  files: FileCalls,
  asked: FilesArguments,
  context: ToolContext,
): Promise<Done> {
  const { accountId, workspaceId } = context.principal;
  const workspace = { accountId, workspaceId };
  const write = writer(files, workspace, context);
  switch (asked.operation) {
    case 'list':
      return await list(files, workspace, asked.filename_filter ?? '');
    case 'read': {
      const { fileId, name, text } = await read(files, workspace, asked);
      return { result: { file_id: fileId, filename: name, content: text }, fileId, name };
    }
    case 'write': {
      const { filename, content } = asked;
      if (filename === undefined) throw new FileProblem('filename is missing');
      if (content === undefined) throw new FileProblem('content is missing');
      return await write({ name: filename, mediaType: 'text/plain', text: content });
    }
    case 'edit': {
      const { old_string: old, new_string: replacement, new_filename } = asked;
      if (old === undefined || old === '') throw new FileProblem('old_string is missing');
      if (replacement === undefined) throw new FileProblem('new_string is missing');
      const { name, mediaType, text } = await read(files, workspace, asked);
      const edited = replaceOnce(text, old, replacement);
      return await write({ name: new_filename ?? name, mediaType, text: edited });
    }
  }
}

function read(files: FileCalls, workspace: Workspace, { file_id, filename }: FilesArguments) {
  return readText(files, workspace, { fileId: file_id, name: filename });
}

async function list(files: FileCalls, workspace: Workspace, namePart: string): Promise<Done> {
  const page = { ...workspace, namePart, offset: 0, limit: filesShownMax, ...latestFirst };
  const { files: found, totalCount } = await files.listFiles(page);
  return { result: { files: found.map(shown), total_count: totalCount } };
}

/** Returns a function that writes a new file. A call of the model writes one: its id is that of the call. */
function writer(
  files: FileCalls,
  workspace: Workspace,
  { principal, requestId, usageId }: ToolContext,
) {
  return async (file: { name: string; mediaType: string; text: string }): Promise<Done> => {
    const { name, mediaType, text } = file;
    if (text === '') throw new FileProblem('a file must not be empty');
    const context = {
      commandId: derivedId('file of a tool', usageId),
      requestId,
      accountId: workspace.accountId,
      actorType: 'api_key',
      actorId: principal.keyHash,
      traceparent: '',
    };
    const { workspaceId } = workspace;
    const bytes = Buffer.from(text);
    const written = await uploadFile(
      files,
      { context, workspaceId, name, mediaType },
      (async function* () {
        yield bytes;
      })(),
    );
    return { result: shown(written), fileId: written.fileId, name: written.name };
  };
}

function replaceOnce(text: string, old: string, replacement: string): string {
  const at = text.indexOf(old);
  if (at === -1) throw new FileProblem('old_string does not stand in the file');
  if (text.includes(old, at + 1))
    throw new FileProblem('old_string stands in the file more than once');
  return text.slice(0, at) + replacement + text.slice(at + old.length);
}

function shown({ fileId, name, mediaType, bytes, createdAt }: File) {
  return {
    file_id: fileId,
    filename: name,
    media_type: mediaType,
    bytes: Number(bytes),
    created_at: createdAt,
  };
}

/** The model reads it. */
function problemOf(error: unknown): string {
  if (error instanceof FileProblem) return error.message;
  const isTold =
    error instanceof Fault &&
    ['conflict', 'invalid_request', 'payload_too_large', 'not_found'].includes(error.code);
  return isTold ? error.message : 'the files cannot be reached now';
}
