import { type EventOf, instant } from '@sluice/es';
import { Type } from 'typebox';

/** Whether a workspace can have guardrails. Names and shapes are the storage format. */
export const guardrailWorkspaceStream = {
  category: 'guardrailWorkspace',
  id: '<workspace id>',
  description: 'The end of a workspace that may have guardrails.',
  events: {
    GuardrailWorkspaceEnded: Type.Object(
      { accountId: Type.String(), workspaceId: Type.String(), endedAt: instant },
      {
        description:
          'The workspace is deleted: its guardrails go with it, also those that are created too late.',
      },
    ),
  },
};
export type GuardrailWorkspaceEvent = EventOf<typeof guardrailWorkspaceStream>;
