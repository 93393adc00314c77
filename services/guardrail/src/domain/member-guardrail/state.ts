import type { GuardrailAssignedToMember, MemberGuardrailEvent } from './events.ts';

export type MemberAssignment = GuardrailAssignedToMember['data'];

export interface MemberGuardrail {
  /** At most one of each workspace, and one of none. */
  readonly assignments: readonly MemberAssignment[];
}

export const initial: MemberGuardrail = { assignments: [] };

export function evolve(state: MemberGuardrail, event: MemberGuardrailEvent): MemberGuardrail {
  const { workspaceId } = event.data;
  const others = state.assignments.filter((assignment) => assignment.workspaceId !== workspaceId);
  switch (event.type) {
    case 'GuardrailAssignedToMember':
      return { assignments: [...others, event.data] };
    case 'GuardrailUnassignedFromMember':
      return { assignments: others };
  }
}
