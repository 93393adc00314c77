/** Which guardrails a member has. Names and shapes are the storage format: see store/. */
export type MemberGuardrailEvent = GuardrailAssignedToMember | GuardrailUnassignedFromMember;

/** The member has this guardrail from now on, in place of the one of the same workspace. */
export interface GuardrailAssignedToMember {
  readonly type: 'GuardrailAssignedToMember';
  readonly data: {
    readonly assignmentId: string;
    readonly accountId: string;
    readonly guardrailId: string;
    readonly userId: string;
    /** The workspace in which it applies; null: every workspace. */
    readonly workspaceId: string | null;
    /** null: by no person. */
    readonly assignedBy: string | null;
    readonly assignedAt: string;
  };
}

/** The member has this guardrail no more. */
export interface GuardrailUnassignedFromMember {
  readonly type: 'GuardrailUnassignedFromMember';
  readonly data: {
    readonly accountId: string;
    readonly guardrailId: string;
    readonly userId: string;
    readonly workspaceId: string | null;
    readonly unassignedAt: string;
  };
}
