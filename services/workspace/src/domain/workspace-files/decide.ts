import type { Rejection } from '@sluice/errors';
import type { Decider } from '@sluice/es';
import type {
  AddFile,
  BeginUpload,
  ClearFiles,
  FileLimits,
  WorkspaceFilesCommand,
} from './commands.ts';
import type { WorkspaceFilesEvent } from './events.ts';
import { nameRejection } from './name.ts';
import { evolve, initial, type WorkspaceFiles } from './state.ts';

export type WorkspaceFilesRejection = Rejection<'conflict' | 'not_found' | 'invalid_request'>;

/** Longer than any upload may take: a process that died has left one that is older. */
export const uploadMsMax = 3_600_000;
/** Uploads to one workspace at once. Each may fill the store with a content that is refused later. */
export const uploadsMax = 20;

const gone: WorkspaceFilesRejection = {
  rejected: 'not_found',
  message: 'The workspace has no such file',
};

type Outcome = readonly WorkspaceFilesEvent[] | WorkspaceFilesRejection;

function decide(command: WorkspaceFilesCommand, now: WorkspaceFiles): Outcome {
  const { accountId, workspaceId, occurredAt } = command;
  const of = { accountId, workspaceId };
  switch (command.type) {
    case 'BeginUpload':
      return begin(command, now);
    case 'AddFile':
      return add(command, now);
    case 'AbandonUpload':
      return now.uploads.has(command.fileId)
        ? [abandoned({ ...of, fileId: command.fileId }, occurredAt)]
        : [];
    case 'DeleteFile': {
      const { fileId } = command;
      if (!now.files.has(fileId)) return gone;
      return [{ type: 'FileDeleted', data: { ...of, fileId, deletedAt: occurredAt } }];
    }
    case 'ClearFiles':
      return clear(command, now);
  }
}

/** The files of a workspace: whoever adds one at once with others, no bound is passed. */
export const workspaceFiles: Decider<
  WorkspaceFilesCommand,
  WorkspaceFiles,
  WorkspaceFilesEvent,
  WorkspaceFilesRejection
> = { category: 'workspaceFiles', initial, evolve, decide };

function begin(
  { accountId, workspaceId, fileId, limits, occurredAt }: BeginUpload,
  now: WorkspaceFiles,
): Outcome {
  if (now.isClosed) return gone;
  if (now.uploads.has(fileId) || now.files.has(fileId)) return [];
  const lapsed = lapsedAt(now, occurredAt);
  if (now.uploads.size - lapsed.length >= uploadsMax)
    return {
      rejected: 'conflict',
      message: `The workspace has ${uploadsMax} uploads under way: try again later`,
    };
  const full = fullness(now, { bytes: 1, limits });
  if (full) return full;
  const of = { accountId, workspaceId };
  return [
    ...lapsed.map((id) => abandoned({ ...of, fileId: id }, occurredAt)),
    { type: 'FileUploadBegun', data: { ...of, fileId, begunAt: occurredAt } },
  ];
}

function add({ type: _type, limits, occurredAt, ...file }: AddFile, now: WorkspaceFiles): Outcome {
  const { files, uploads } = now;
  if (files.has(file.fileId)) return [];
  if (now.isClosed || !uploads.has(file.fileId)) return gone;
  const refused = nameRejection(file) ?? fullness(now, { bytes: file.bytes, limits });
  return refused ?? [{ type: 'FileAdded', data: { ...file, addedAt: occurredAt } }];
}

/** A process that died has left these uploads. */
function lapsedAt({ uploads }: WorkspaceFiles, now: string): readonly string[] {
  const last = Date.parse(now) - uploadMsMax;
  return [...uploads].flatMap(([id, begunAt]) => (Date.parse(begunAt) < last ? [id] : []));
}

/** Returns a rejection if a file of that size does not fit. */
function fullness(
  { files, bytes: used }: WorkspaceFiles,
  { bytes, limits }: { readonly bytes: number; readonly limits: FileLimits },
): Rejection<'conflict'> | undefined {
  const { filesMax, bytesMax } = limits;
  if (files.size >= filesMax)
    return {
      rejected: 'conflict',
      message: `The workspace has ${files.size} files, and ${filesMax} are allowed: delete some first`,
    };
  if (used + bytes <= bytesMax) return undefined;
  return {
    rejected: 'conflict',
    message: `The files of the workspace have ${used} bytes, and ${bytesMax} are allowed: delete some first`,
  };
}

function clear(
  { accountId, workspaceId, most, occurredAt }: ClearFiles,
  { files, uploads, isClosed }: WorkspaceFiles,
): Outcome {
  const of = { accountId, workspaceId };
  const cleared: WorkspaceFilesEvent[] = [
    ...[...uploads.keys()].map((fileId) => abandoned({ ...of, fileId }, occurredAt)),
    ...[...files.keys()].map((fileId): WorkspaceFilesEvent => {
      return { type: 'FileDeleted', data: { ...of, fileId, deletedAt: occurredAt } };
    }),
  ];
  const closed: WorkspaceFilesEvent = {
    type: 'WorkspaceFilesClosed',
    data: { ...of, closedAt: occurredAt },
  };
  return [...(isClosed ? [] : [closed]), ...cleared].slice(0, most);
}

function abandoned(
  file: { readonly accountId: string; readonly workspaceId: string; readonly fileId: string },
  abandonedAt: string,
): WorkspaceFilesEvent {
  return { type: 'FileUploadAbandoned', data: { ...file, abandonedAt } };
}
