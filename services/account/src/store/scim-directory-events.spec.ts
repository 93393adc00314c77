import { join } from 'node:path';
import { storedEventsSpecification } from '@sluice/es/testing';
import { scimDirectory } from '../domain/scim-directory/decide.ts';
import { scimDirectoryEvents } from './scim-directory-events.ts';

storedEventsSpecification({
  codec: scimDirectoryEvents,
  decider: scimDirectory,
  goldenDirectory: join(import.meta.dirname, '../domain/scim-directory/golden'),
});
