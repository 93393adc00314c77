import type { ScimSyncEvent } from './events.ts';

/** The job that is not finished; of the others nothing more is decided. */
export interface ScimSync {
  readonly open: OpenJob | undefined;
}

export interface OpenJob {
  readonly jobId: string;
  readonly requestedAt: string;
  /** If undefined, the job is waiting. */
  readonly startedAt: string | undefined;
}

export const initial: ScimSync = { open: undefined };

export function evolve(sync: ScimSync, event: ScimSyncEvent): ScimSync {
  switch (event.type) {
    case 'ScimSyncRequested': {
      const { jobId, requestedAt } = event.data;
      return { open: { jobId, requestedAt, startedAt: undefined } };
    }
    case 'ScimSyncStarted':
      return sync.open ? { open: { ...sync.open, startedAt: event.data.startedAt } } : sync;
    case 'ScimSyncFinished':
      return { open: undefined };
  }
}
