import { event, type EventOf, instant } from '@sluice/es';
import { Type } from 'typebox';

/** The events of one slug of one account. Names and shapes are the storage format. */
export const workspaceSlugStream = {
  category: 'workspaceSlug',
  id: '<UUID of account and slug>',
  description: 'One slug of one account.',
  events: {
    WorkspaceSlugClaimed: event(
      'A workspace may take the slug from now on. Its own stream says whether it did, ' +
        'and whether it still has it: no event lets a slug go.',
      {
        accountId: Type.String(),
        slug: Type.String(),
        workspaceId: Type.String(),
        claimId: Type.String({
          description: 'The command that takes it: the events of the workspace carry the same.',
        }),
        claimedAt: instant,
      },
    ),
  },
};
export type WorkspaceSlugEvent = EventOf<typeof workspaceSlugStream>;
export type WorkspaceSlugClaimed = EventOf<typeof workspaceSlugStream, 'WorkspaceSlugClaimed'>;
