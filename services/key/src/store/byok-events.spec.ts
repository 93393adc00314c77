import { join } from 'node:path';
import { storedEventsSpecification } from '@sluice/es/testing';
import { byok } from '../domain/byok/decide.ts';
import { byokEvents } from './byok-events.ts';

storedEventsSpecification({
  codec: byokEvents,
  decider: byok,
  goldenDirectory: join(import.meta.dirname, '../domain/byok/golden'),
});
