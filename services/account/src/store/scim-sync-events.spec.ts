import { join } from 'node:path';
import { storedEventsSpecification } from '@sluice/es/testing';
import { scimSync } from '../domain/scim-sync/decide.ts';
import { scimSyncEvents } from './scim-sync-events.ts';

storedEventsSpecification({
  codec: scimSyncEvents,
  decider: scimSync,
  goldenDirectory: join(import.meta.dirname, '../domain/scim-sync/golden'),
});
