import { join } from 'node:path';
import { storedEventsSpecification } from '@sluice/es/testing';
import { workspaceFiles } from '../domain/workspace-files/decide.ts';
import { workspaceFilesEvents } from './workspace-files-events.ts';

storedEventsSpecification({
  codec: workspaceFilesEvents,
  decider: workspaceFiles,
  goldenDirectory: join(import.meta.dirname, '../domain/workspace-files/golden'),
});
