import { join } from 'node:path';
import { storedEventsSpecification } from '@sluice/es/testing';
import { workspaceMembers } from '../domain/workspace-members/decide.ts';
import { workspaceMembersEvents } from './workspace-members-events.ts';

storedEventsSpecification({
  codec: workspaceMembersEvents,
  decider: workspaceMembers,
  goldenDirectory: join(import.meta.dirname, '../domain/workspace-members/golden'),
});
