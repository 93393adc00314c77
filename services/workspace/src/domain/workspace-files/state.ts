import type { WorkspaceFilesEvent } from './events.ts';

/** The files of one workspace, as far as decisions need them. */
export interface WorkspaceFiles {
  /** The sizes of the files by their ids. */
  readonly files: ReadonlyMap<string, number>;
  /** When each upload began that has not ended, by the id of its file. */
  readonly uploads: ReadonlyMap<string, string>;
  /** The size of all files. */
  readonly bytes: number;
  readonly isClosed: boolean;
}

export const initial: WorkspaceFiles = {
  files: new Map(),
  uploads: new Map(),
  bytes: 0,
  isClosed: false,
};

export function evolve(before: WorkspaceFiles, event: WorkspaceFilesEvent): WorkspaceFiles {
  const { files, uploads, bytes } = before;
  switch (event.type) {
    case 'FileUploadBegun': {
      const { fileId, begunAt } = event.data;
      return { ...before, uploads: new Map(uploads).set(fileId, begunAt) };
    }
    case 'FileAdded': {
      const { fileId, bytes: size } = event.data;
      return {
        ...before,
        files: new Map(files).set(fileId, size),
        uploads: without(uploads, fileId),
        bytes: bytes + size,
      };
    }
    case 'FileUploadAbandoned':
      return { ...before, uploads: without(uploads, event.data.fileId) };
    case 'FileDeleted': {
      const { fileId } = event.data;
      return {
        ...before,
        files: without(files, fileId),
        bytes: bytes - (files.get(fileId) ?? 0),
      };
    }
    case 'WorkspaceFilesClosed':
      return { ...before, isClosed: true };
  }
}

function without<Value>(all: ReadonlyMap<string, Value>, id: string): ReadonlyMap<string, Value> {
  const others = new Map(all);
  others.delete(id);
  return others;
}
