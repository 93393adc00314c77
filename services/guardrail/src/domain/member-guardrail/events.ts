import { event, type EventOf, instant, nullable } from '@sluice/es';
import { Type } from 'typebox';

const workspaceId = nullable(
  Type.String(),
  'The workspace in which it applies; null: every workspace.',
);

/** The guardrails of a member. Names and shapes are the storage format. */
export const memberGuardrailStream = {
  category: 'memberGuardrail',
  id: '<uuid of the account and the user>',
  description: 'The guardrails of a member.',
  events: {
    GuardrailAssignedToMember: event(
      'The member has this guardrail from now on, in place of the one of the same workspace.',
      {
        assignmentId: Type.String(),
        accountId: Type.String(),
        guardrailId: Type.String(),
        userId: Type.String(),
        workspaceId,
        assignedBy: nullable(Type.String(), 'null: by no person.'),
        assignedAt: instant,
      },
    ),
    GuardrailUnassignedFromMember: event('The member has this guardrail no more.', {
      accountId: Type.String(),
      guardrailId: Type.String(),
      userId: Type.String(),
      workspaceId,
      unassignedAt: instant,
    }),
  },
};
export type MemberGuardrailEvent = EventOf<typeof memberGuardrailStream>;
export type GuardrailAssignedToMember = EventOf<
  typeof memberGuardrailStream,
  'GuardrailAssignedToMember'
>;
export type GuardrailUnassignedFromMember = EventOf<
  typeof memberGuardrailStream,
  'GuardrailUnassignedFromMember'
>;
