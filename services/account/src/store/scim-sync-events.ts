import { eventCodec } from '@sluice/es';
import type { ScimSyncEvent } from '../domain/scim-sync/events.ts';

/** How the jobs of an organization lie in streams `scimSync-<account id>`. */
export const scimSyncEvents = eventCodec<ScimSyncEvent>({
  current: { ScimSyncRequested: 1, ScimSyncStarted: 1, ScimSyncFinished: 1 },
});

export const scimSyncStreamPrefix = 'scimSync-';
