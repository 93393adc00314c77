import { join } from 'node:path';
import { storedEventsSpecification } from '@sluice/es/testing';
import { destinations } from '../domain/destinations/decide.ts';
import { destinationEvents } from './destination-events.ts';

storedEventsSpecification({
  codec: destinationEvents,
  decider: destinations,
  goldenDirectory: join(import.meta.dirname, '../domain/destinations/golden'),
});
