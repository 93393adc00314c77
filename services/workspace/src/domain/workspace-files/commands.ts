/** Names the account of the workspace. */
interface Of {
  readonly accountId: string;
  readonly workspaceId: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly occurredAt: string;
}

/** The bounds of one workspace. */
export interface FileLimits {
  readonly filesMax: number;
  /** The size of all files together. */
  readonly bytesMax: number;
}

/** Announces a content. Its size is not known yet. */
export interface BeginUpload extends Of {
  readonly type: 'BeginUpload';
  readonly fileId: string;
  readonly limits: FileLimits;
}

/** Adds the file whose content is stored. */
export interface AddFile extends Of {
  readonly type: 'AddFile';
  readonly fileId: string;
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly limits: FileLimits;
}

export interface AbandonUpload extends Of {
  readonly type: 'AbandonUpload';
  readonly fileId: string;
}

export interface DeleteFile extends Of {
  readonly type: 'DeleteFile';
  readonly fileId: string;
}

/** Closes the files of a workspace that is gone, and deletes some of them. It is given until nothing is left. */
export interface ClearFiles extends Of {
  readonly type: 'ClearFiles';
  /** One append to the log takes so many events. */
  readonly most: number;
}

export type WorkspaceFilesCommand = BeginUpload | AddFile | AbandonUpload | DeleteFile | ClearFiles;
