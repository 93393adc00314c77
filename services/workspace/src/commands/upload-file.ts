import { derivedId } from '@sluice/clock-and-ids';
import {
  Fault,
  invalidValue,
  isRejection,
  rejectionToFault,
  requireAccepted,
} from '@sluice/errors';
import { type FileStore, StoreUnavailable } from '@sluice/file-store';
import type { ReceivedContext } from '@sluice/rpc';
import type { FileLimits } from '../domain/workspace-files/commands.ts';
import type { FileAdded } from '../domain/workspace-files/events.ts';
import { nameRejection } from '../domain/workspace-files/name.ts';
import type { WorkspaceFilesHandler } from '../store/workspace-files-handler.ts';
import { type OpenUploads, tooLarge, type UploadedFile } from './open-uploads.ts';

export interface UploadDependencies {
  readonly handle: WorkspaceFilesHandler;
  readonly uploads: OpenUploads;
  readonly store: Pick<FileStore, 'remove'>;
  readonly limits: FileLimits;
}

/** Begins an upload, and returns the id of its file: a function of the command. */
export function beginUpload({ handle, uploads, limits }: UploadDependencies) {
  const abandon = abandonUpload({ handle });
  return async (
    wanted: { readonly workspaceId: string; readonly name: string; readonly mediaType: string },
    context: ReceivedContext,
  ): Promise<string> => {
    const { accountId, occurredAt, commandId } = context;
    const { workspaceId } = wanted;
    const refused = nameRejection(wanted);
    if (refused) throw rejectionToFault(refused);
    const fileId = `svc_file_${derivedId('file', commandId).replaceAll('-', '')}`;
    const command = { accountId, workspaceId, fileId, limits, occurredAt } as const;
    requireAccepted(await handle(workspaceId, { type: 'BeginUpload', ...command }, context));
    const file = { accountId, fileId, ...wanted };
    const { signal: _signal, ...later } = context;
    // The log ends it by itself when this fails.
    uploads.begin(file, () => void abandon(file, later).catch(() => undefined));
    return fileId;
  };
}

/** Adds the file as soon as its content is stored. What is refused leaves no content behind. */
export function completeUpload(dependencies: UploadDependencies) {
  const { handle, uploads, store, limits } = dependencies;
  const abandon = abandonUpload(dependencies);
  return async (fileId: string, context: ReceivedContext) => {
    const { accountId, occurredAt } = context;
    const { file, stored } = await uploads.complete({ accountId, fileId }).catch(asFault);
    if (typeof stored === 'string') {
      await abandon(file, context);
      throw stored === 'empty' ? invalidValue('file', 'must not be empty') : tooLarge();
    }
    const data = { ...file, ...stored };
    const command = { type: 'AddFile', ...data, limits, occurredAt } as const;
    const handled = await handle(file.workspaceId, command, context);
    if (isRejection(handled)) {
      await abandon(file, context);
      // If the upload has lapsed meanwhile, the log has nothing more to say about it.
      await store.remove(file).catch(asFault);
      throw rejectionToFault(handled);
    }
    const added: FileAdded['data'] = { ...data, addedAt: occurredAt };
    return { added, position: handled.position };
  };
}

/** Ends an upload in the log: its content is removed, however much of it was stored. */
export function abandonUpload({ handle }: Pick<UploadDependencies, 'handle'>) {
  return async (
    { workspaceId, fileId }: Pick<UploadedFile, 'workspaceId' | 'fileId'>,
    context: ReceivedContext,
  ): Promise<void> => {
    const { accountId, occurredAt } = context;
    const command = { type: 'AbandonUpload', accountId, workspaceId, fileId, occurredAt } as const;
    const commandId = derivedId('abandon upload', fileId);
    requireAccepted(await handle(workspaceId, command, { ...context, commandId }));
  };
}

/** Throws unavailable for a store that does not answer, and any other error as it is. */
export function asFault(error: unknown): never {
  throw error instanceof StoreUnavailable ? new Fault('unavailable', { cause: error }) : error;
}
