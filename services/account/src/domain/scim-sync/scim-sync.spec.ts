import { describe, test } from 'vitest';
import { specification } from '@sluice/es/testing';
import { scimSync, type ScimSyncCommand, type SyncOutcome } from './decide.ts';

const { given } = specification(scimSync);
const occurredAt = '2026-01-02T03:04:05.678Z';
const job = (jobId: string) => ({ accountId: 'org_1', jobId });
const request = (jobId = 'one'): ScimSyncCommand => ({
  type: 'RequestSync',
  ...job(jobId),
  occurredAt,
});
const start = (jobId = 'one'): ScimSyncCommand => ({
  type: 'StartSync',
  ...job(jobId),
  occurredAt,
});
const succeeded: SyncOutcome = {
  status: 'succeeded',
  syncedGroups: 2,
  deletedGroups: 1,
  errorMessage: null,
};
const finish = (jobId = 'one', outcome: SyncOutcome = succeeded): ScimSyncCommand => ({
  type: 'FinishSync',
  ...job(jobId),
  outcome,
  occurredAt,
});
const requested = (jobId = 'one') => ({
  type: 'ScimSyncRequested' as const,
  data: { ...job(jobId), requestedAt: occurredAt },
});
const started = (jobId = 'one') => ({
  type: 'ScimSyncStarted' as const,
  data: { ...job(jobId), startedAt: occurredAt },
});
const finished = (jobId = 'one', outcome: SyncOutcome = succeeded) => ({
  type: 'ScimSyncFinished' as const,
  data: { ...job(jobId), ...outcome, finishedAt: occurredAt },
});

describe('a sync job', () => {
  test('is requested where none is open', () => {
    given().when(request()).then(requested());
    given(requested(), started(), finished()).when(request('two')).then(requested('two'));
  });
  test('is not requested where one is waiting or running', () => {
    given(requested()).when(request('two')).thenNothing();
    given(requested(), started()).when(request('two')).thenNothing();
  });
  test('starts once', () => {
    given(requested()).when(start()).then(started());
    given(requested(), started()).when(start()).thenNothing();
  });
  test('finishes once, well or not', () => {
    given(requested(), started()).when(finish()).then(finished());
    const failed: SyncOutcome = {
      status: 'failed',
      syncedGroups: null,
      deletedGroups: null,
      errorMessage: 'no',
    };
    given(requested(), started()).when(finish('one', failed)).then(finished('one', failed));
    given(requested(), started(), finished()).when(finish()).thenNothing();
  });
  test('that is not the open one is left alone', () => {
    given(requested('two')).when(start('one')).thenNothing();
    given(requested('two'), started('two')).when(finish('one')).thenNothing();
    given(requested('one'), started('one'), finished('one')).when(start('one')).thenNothing();
  });
});
