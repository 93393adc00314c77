import { join } from 'node:path';
import { storedEventsSpecification } from '@sluice/es/testing';
import { workspaceSlug } from '../domain/workspace-slug/decide.ts';
import { workspaceSlugEvents } from './workspace-slug-events.ts';

storedEventsSpecification({
  codec: workspaceSlugEvents,
  decider: workspaceSlug,
  goldenDirectory: join(import.meta.dirname, '../domain/workspace-slug/golden'),
});
