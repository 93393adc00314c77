import { join } from 'node:path';
import { storedEventsSpecification } from '@sluice/es/testing';
import { preset } from '../domain/preset/decide.ts';
import { presetEvents } from './preset-events.ts';

storedEventsSpecification({
  codec: presetEvents,
  decider: preset,
  goldenDirectory: join(import.meta.dirname, '../domain/preset/golden'),
});
