import type { Rejection } from '@sluice/errors';
import type { Decider } from '@sluice/es';
import type { MemberGuardrailEvent } from './events.ts';
import { evolve, initial, type MemberAssignment, type MemberGuardrail } from './state.ts';

export type MemberGuardrailCommand = AssignToMember | UnassignFromMember | UnassignAllFromMember;

interface Command<Type extends string> {
  readonly type: Type;
  readonly accountId: string;
  readonly userId: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly occurredAt: string;
}

/** That the guardrail and the member may go together was checked before. */
export interface AssignToMember extends Command<'AssignToMember'> {
  readonly assignmentId: string;
  readonly guardrailId: string;
  /** The workspace of the guardrail; null: it has none. */
  readonly workspaceId: string | null;
  readonly assignedBy: string | null;
}

/** Unassigns this guardrail; others stay. */
export interface UnassignFromMember extends Command<'UnassignFromMember'> {
  readonly guardrailId: string;
}

/** The member was deactivated. */
export type UnassignAllFromMember = Command<'UnassignAllFromMember'>;

function decide(
  command: MemberGuardrailCommand,
  { assignments }: MemberGuardrail,
): readonly MemberGuardrailEvent[] {
  const { accountId, userId, occurredAt } = command;
  const unassigned = ({ guardrailId, workspaceId }: MemberAssignment): MemberGuardrailEvent => ({
    type: 'GuardrailUnassignedFromMember',
    data: { accountId, guardrailId, userId, workspaceId, unassignedAt: occurredAt },
  });
  switch (command.type) {
    case 'AssignToMember': {
      const { assignmentId, guardrailId, workspaceId, assignedBy } = command;
      if (assignments.some((assignment) => assignment.guardrailId === guardrailId)) return [];
      const of = { assignmentId, accountId, guardrailId, userId, workspaceId };
      const data = { ...of, assignedBy, assignedAt: occurredAt };
      return [{ type: 'GuardrailAssignedToMember', data }];
    }
    case 'UnassignFromMember':
      return assignments
        .filter(({ guardrailId }) => guardrailId === command.guardrailId)
        .map(unassigned);
    case 'UnassignAllFromMember':
      return assignments.map(unassigned);
  }
}

export const memberGuardrail: Decider<
  MemberGuardrailCommand,
  MemberGuardrail,
  MemberGuardrailEvent,
  Rejection<never>
> = { category: 'memberGuardrail', initial, evolve, decide };
