import { join } from 'node:path';
import { storedEventsSpecification } from '@sluice/es/testing';
import { apiKey } from '../domain/api-key/decide.ts';
import { apiKeyEvents } from './api-key-events.ts';

storedEventsSpecification({
  codec: apiKeyEvents,
  decider: apiKey,
  goldenDirectory: join(import.meta.dirname, '../domain/api-key/golden'),
});
