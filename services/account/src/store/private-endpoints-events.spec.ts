import { join } from 'node:path';
import { storedEventsSpecification } from '@sluice/es/testing';
import { privateEndpoints } from '../domain/private-endpoints/decide.ts';
import { privateEndpointsEvents } from './private-endpoints-events.ts';

storedEventsSpecification({
  codec: privateEndpointsEvents,
  decider: privateEndpoints,
  goldenDirectory: join(import.meta.dirname, '../domain/private-endpoints/golden'),
});
