import { event, type EventOf, instant, nullable } from '@sluice/es';
import { Type } from 'typebox';

const job = { accountId: Type.String(), jobId: Type.String() };

/** The jobs that pull the directory of an organization. Names and shapes are the storage format. */
export const scimSyncStream = {
  category: 'scimSync',
  id: '<account id>',
  description: 'The jobs that pull the directory of an organization, one at a time.',
  events: {
    ScimSyncRequested: event('A pull of the directory was requested.', {
      ...job,
      requestedAt: instant,
    }),
    ScimSyncStarted: event(
      'The directory is being pulled; after a crash it is pulled again, by the same job.',
      { ...job, startedAt: instant },
    ),
    ScimSyncFinished: event('A job has come to its end, and another one may be requested.', {
      ...job,
      status: Type.Enum(['succeeded', 'failed']),
      syncedGroups: nullable(
        Type.Integer(),
        'The number of groups in the directory; null where it failed.',
      ),
      deletedGroups: nullable(
        Type.Integer(),
        'The number of groups that this job found missing; null where it failed.',
      ),
      errorMessage: nullable(Type.String(), 'null where it succeeded.'),
      finishedAt: instant,
    }),
  },
};
export type ScimSyncEvent = EventOf<typeof scimSyncStream>;
export type ScimSyncRequested = EventOf<typeof scimSyncStream, 'ScimSyncRequested'>;
export type ScimSyncStarted = EventOf<typeof scimSyncStream, 'ScimSyncStarted'>;
export type ScimSyncFinished = EventOf<typeof scimSyncStream, 'ScimSyncFinished'>;
