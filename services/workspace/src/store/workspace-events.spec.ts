import { join } from 'node:path';
import fc from 'fast-check';
import { storedEventsSpecification } from '@sluice/es/testing';
import { workspace } from '../domain/workspace/decide.ts';
import { workspaceEvents } from './workspace-events.ts';

storedEventsSpecification({
  codec: workspaceEvents,
  decider: workspace,
  goldenDirectory: join(import.meta.dirname, '../domain/workspace/golden'),
  events: {
    WorkspaceCreated: fc.record({
      type: fc.constant('WorkspaceCreated' as const),
      data: fc.record({
        workspaceId: fc.uuid(),
        accountId: fc.string(),
        name: fc.string(),
        slug: fc.string(),
        isDefault: fc.boolean(),
        createdAt: fc.string(),
      }),
    }),
  },
});
