import { join } from 'node:path';
import { storedEventsSpecification } from '@sluice/es/testing';
import { refusal } from '../domain/refusal/decide.ts';
import { refusalEvents } from './refusal-events.ts';

storedEventsSpecification({
  codec: refusalEvents,
  decider: refusal,
  goldenDirectory: join(import.meta.dirname, '../domain/refusal/golden'),
});
