import { join } from 'node:path';
import fc from 'fast-check';
import { storedEventsSpecification } from '@sluice/es/testing';
import { scimSync } from '../domain/scim-sync/decide.ts';
import { scimSyncEvents } from './scim-sync-events.ts';

const job = { accountId: fc.string(), jobId: fc.uuid() };
const event = <const Type extends string, Data>(type: Type, data: fc.Arbitrary<Data>) =>
  fc.record({ type: fc.constant(type), data });

storedEventsSpecification({
  codec: scimSyncEvents,
  decider: scimSync,
  goldenDirectory: join(import.meta.dirname, '../domain/scim-sync/golden'),
  events: {
    ScimSyncRequested: event('ScimSyncRequested', fc.record({ ...job, requestedAt: fc.string() })),
    ScimSyncStarted: event('ScimSyncStarted', fc.record({ ...job, startedAt: fc.string() })),
    ScimSyncFinished: event(
      'ScimSyncFinished',
      fc.record({
        ...job,
        status: fc.constantFrom('succeeded' as const, 'failed' as const),
        syncedGroups: fc.option(fc.nat()),
        deletedGroups: fc.option(fc.nat()),
        errorMessage: fc.option(fc.string()),
        finishedAt: fc.string(),
      }),
    ),
  },
});
