import { type EventOf, instant, nullable } from '@sluice/es';
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
    GuardrailAssignedToMember: Type.Object(
      {
        assignmentId: Type.String(),
        accountId: Type.String(),
        guardrailId: Type.String(),
        userId: Type.String(),
        workspaceId,
        assignedBy: nullable(Type.String(), 'null: by no person.'),
        assignedAt: instant,
      },
      {
        description:
          'The member has this guardrail from now on, in place of the one of the same workspace.',
      },
    ),
    GuardrailUnassignedFromMember: Type.Object(
      {
        accountId: Type.String(),
        guardrailId: Type.String(),
        userId: Type.String(),
        workspaceId,
        unassignedAt: instant,
      },
      { description: 'The member has this guardrail no more.' },
    ),
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
