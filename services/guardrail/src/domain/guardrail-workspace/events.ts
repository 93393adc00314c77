import { event, type EventOf, instant } from '@sluice/es';
import { Type } from 'typebox';

/** The stream that says if a workspace can have guardrails. Names and shapes are the storage format. */
export const guardrailWorkspaceStream = {
  category: 'guardrailWorkspace',
  id: '<workspace id>',
  description: 'The end of a workspace that may have guardrails.',
  events: {
    GuardrailWorkspaceEnded: event(
      'The workspace is deleted: its guardrails go with it, also those that are created too late.',
      { accountId: Type.String(), workspaceId: Type.String(), endedAt: instant },
    ),
  },
};
export type GuardrailWorkspaceEvent = EventOf<typeof guardrailWorkspaceStream>;
