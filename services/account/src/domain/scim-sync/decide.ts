import type { Decider } from '@sluice/es';
import type { ScimSyncEvent, ScimSyncFinished } from './events.ts';
import { evolve, initial, type ScimSync } from './state.ts';

interface Of {
  readonly accountId: string;
  readonly jobId: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly occurredAt: string;
}

/** Changes nothing while a sync is open: the command means that one. */
export interface RequestSync extends Of {
  readonly type: 'RequestSync';
}

export interface StartSync extends Of {
  readonly type: 'StartSync';
}

/** The result with which a job ended. */
export type SyncOutcome = Omit<ScimSyncFinished['data'], 'accountId' | 'jobId' | 'finishedAt'>;

export interface FinishSync extends Of {
  readonly type: 'FinishSync';
  readonly outcome: SyncOutcome;
}

export type ScimSyncCommand = RequestSync | StartSync | FinishSync;

function decide(command: ScimSyncCommand, { open }: ScimSync): readonly ScimSyncEvent[] {
  const { accountId, jobId, occurredAt } = command;
  const isOpen = open?.jobId === jobId;
  switch (command.type) {
    case 'RequestSync': {
      if (open) return [];
      const data = { accountId, jobId, requestedAt: occurredAt };
      return [{ type: 'ScimSyncRequested', data }];
    }
    case 'StartSync': {
      if (!isOpen || open.startedAt !== undefined) return [];
      return [{ type: 'ScimSyncStarted', data: { accountId, jobId, startedAt: occurredAt } }];
    }
    case 'FinishSync': {
      if (!isOpen) return [];
      const { outcome } = command;
      const data = { accountId, jobId, ...outcome, finishedAt: occurredAt };
      return [{ type: 'ScimSyncFinished', data }];
    }
  }
}

export const scimSync: Decider<ScimSyncCommand, ScimSync, ScimSyncEvent> = {
  category: 'scimSync',
  initial,
  evolve,
  decide,
};
