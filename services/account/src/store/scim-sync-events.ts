import { aggregateEvents } from '@sluice/boot/aggregate-events';
import { scimSync } from '../domain/scim-sync/decide.ts';
import { scimSyncStream } from '../domain/scim-sync/events.ts';

/** The events of sync jobs, those of an organization under its account id. */
export const scimSyncEvents = aggregateEvents(scimSync, scimSyncStream);
