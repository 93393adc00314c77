import { eventCodec } from '@sluice/es';
import { scimSyncStream } from '../domain/scim-sync/events.ts';

/** The storage format of the jobs of an organization. */
export const scimSyncEvents = eventCodec(scimSyncStream);
