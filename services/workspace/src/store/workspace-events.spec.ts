import { join } from 'node:path';
import { storedEventsSpecification } from '@sluice/es/testing';
import { workspace } from '../domain/workspace/decide.ts';
import { workspaceEvents } from './workspace-events.ts';

storedEventsSpecification({
  codec: workspaceEvents,
  decider: workspace,
  goldenDirectory: join(import.meta.dirname, '../domain/workspace/golden'),
});
