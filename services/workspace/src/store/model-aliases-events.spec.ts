import { join } from 'node:path';
import { storedEventsSpecification } from '@sluice/es/testing';
import { modelAliases } from '../domain/model-aliases/decide.ts';
import { modelAliasesEvents } from './model-aliases-events.ts';

storedEventsSpecification({
  codec: modelAliasesEvents,
  decider: modelAliases,
  goldenDirectory: join(import.meta.dirname, '../domain/model-aliases/golden'),
});
