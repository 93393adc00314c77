import { join } from 'node:path';
import fc from 'fast-check';
import { storedEventsSpecification } from '@sluice/es/testing';
import { workspaceSlug } from '../domain/workspace-slug/decide.ts';
import { workspaceSlugEvents } from './workspace-slug-events.ts';

storedEventsSpecification({
  codec: workspaceSlugEvents,
  decider: workspaceSlug,
  goldenDirectory: join(import.meta.dirname, '../domain/workspace-slug/golden'),
  events: {
    WorkspaceSlugClaimed: fc.record({
      type: fc.constant('WorkspaceSlugClaimed' as const),
      data: fc.record({
        accountId: fc.string(),
        slug: fc.string(),
        workspaceId: fc.uuid(),
        claimId: fc.uuid(),
        claimedAt: fc.string(),
      }),
    }),
  },
});
