/**
 * The jobs that pull the directory of an organization, one at a time. Names and shapes are the storage
 * format: see store/.
 */
export type ScimSyncEvent = ScimSyncRequested | ScimSyncStarted | ScimSyncFinished;

/** A pull of the directory was requested. */
export interface ScimSyncRequested {
  readonly type: 'ScimSyncRequested';
  readonly data: {
    readonly accountId: string;
    readonly jobId: string;
    readonly requestedAt: string;
  };
}

/** The directory is being pulled; after a crash it is pulled again, by the same job. */
export interface ScimSyncStarted {
  readonly type: 'ScimSyncStarted';
  readonly data: {
    readonly accountId: string;
    readonly jobId: string;
    readonly startedAt: string;
  };
}

/** A job has come to its end, and another one may be requested. */
export interface ScimSyncFinished {
  readonly type: 'ScimSyncFinished';
  readonly data: {
    readonly accountId: string;
    readonly jobId: string;
    readonly status: 'succeeded' | 'failed';
    /** Those that the directory has; null where it failed. */
    readonly syncedGroups: number | null;
    /** Those that this job found missing; null where it failed. */
    readonly deletedGroups: number | null;
    /** null where it succeeded. */
    readonly errorMessage: string | null;
    readonly finishedAt: string;
  };
}
