import { derivedId } from '@sluice/clock-and-ids';
import {
  Fault,
  invalidValue,
  isRejection,
  rejectionToFault,
  requireAccepted,
} from '@sluice/errors';
import { type FileKey, type FileStore, StoreUnavailable } from '@sluice/file-store';
import type { ReceivedContext } from '@sluice/rpc';
import { fileIdOf } from '@sluice/workspace-files';
import type { FileLimits } from '../domain/workspace-files/commands.ts';
import type { FileAdded } from '../domain/workspace-files/events.ts';
import { nameRejection } from '../domain/workspace-files/name.ts';
import type { WorkspaceFilesHandler } from '../store/workspace-files-events.ts';

export interface UploadDependencies {
  readonly handle: WorkspaceFilesHandler;
  readonly store: Pick<FileStore, 'put' | 'remove'>;
  readonly limits: FileLimits;
}

/** A file as the caller describes it. */
export interface Described {
  readonly workspaceId: string;
  readonly name: string;
  readonly mediaType: string;
  /** The file is an export of analytics. */
  readonly isExport: boolean;
}

/** A file has at most so many bytes. */
export const fileBytesMax = 100_000_000;

/**
 * Stores a content as it comes, and adds its file. The id of the file is a function of the command. An upload that
 * fails is abandoned: a reaction removes the bytes that were stored.
 */
export function uploadFile(dependencies: UploadDependencies) {
  const { handle, store, limits } = dependencies;
  return async (
    described: Described,
    content: AsyncIterable<Uint8Array>,
    context: ReceivedContext,
  ) => {
    const { accountId, occurredAt, commandId } = context;
    const { workspaceId, name, mediaType } = described;
    const refused = nameRejection(described);
    if (refused) throw rejectionToFault(refused);
    const fileId = fileIdOf(commandId, { isExport: described.isExport });
    const key: FileKey = { accountId, workspaceId, fileId };
    const command = { type: 'BeginUpload', ...key, limits, occurredAt } as const;
    const begun = requireAccepted(await handle(workspaceId, command, context));
    if (begun.state.files.has(fileId))
      throw new Fault('conflict', { message: 'This upload has made a file already' });
    try {
      const stored = await store.put(key, content, { bytesMax: fileBytesMax }).catch(asFault);
      if (stored === 'empty') throw invalidValue('file', 'must not be empty');
      if (stored === 'too_large') throw tooLarge();
      const file = { fileId, workspaceId, name, mediaType, accountId, ...stored };
      const position = await add(dependencies, file, context);
      return { added: { ...file, addedAt: occurredAt } satisfies FileAdded['data'], position };
    } catch (error) {
      await abandon(dependencies, key, context);
      throw error;
    }
  };
}

async function add(
  { handle, store, limits }: UploadDependencies,
  file: Omit<FileAdded['data'], 'addedAt'>,
  context: ReceivedContext,
) {
  const { occurredAt } = context;
  const command = { type: 'AddFile', ...file, limits, occurredAt } as const;
  const later = { ...context, commandId: derivedId('add file', file.fileId) };
  const handled = await handle(file.workspaceId, command, later);
  if (!isRejection(handled)) return handled.position;
  // If the upload has lapsed meanwhile, its content was removed before it was stored.
  await store.remove(file).catch(asFault);
  throw rejectionToFault(handled);
}

/** Ends an upload in the log, also when the caller has left. The sweep ends it later if this fails. */
async function abandon(
  { handle }: UploadDependencies,
  key: FileKey,
  { signal: _signal, ...context }: ReceivedContext,
): Promise<void> {
  const { occurredAt } = context;
  const command = { type: 'AbandonUpload', ...key, occurredAt } as const;
  const commandId = derivedId('abandon upload', key.fileId);
  await handle(key.workspaceId, command, { ...context, commandId }).catch(() => undefined);
}

/** Throws unavailable for a store that does not answer, and any other error as it is. */
export function asFault(error: unknown): never {
  throw error instanceof StoreUnavailable ? new Fault('unavailable', { cause: error }) : error;
}

function tooLarge(): Fault {
  return new Fault('payload_too_large', {
    message: `A file has at most ${fileBytesMax} bytes`,
  });
}
