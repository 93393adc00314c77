/** Which guardrail a key has. Names and shapes are the storage format: see store/. */
export type KeyGuardrailEvent =
  | GuardrailAssignedToKey
  | GuardrailUnassignedFromKey
  | GuardrailKeyRetired;

/** The key has this guardrail from now on, in place of the one it had. */
export interface GuardrailAssignedToKey {
  readonly type: 'GuardrailAssignedToKey';
  readonly data: {
    readonly assignmentId: string;
    readonly accountId: string;
    readonly guardrailId: string;
    readonly keyHash: string;
    /** The key with its middle left out. */
    readonly keyLabel: string;
    /** null: by no person. */
    readonly assignedBy: string | null;
    readonly assignedAt: string;
  };
}

/** The key has no guardrail of its own any more. */
export interface GuardrailUnassignedFromKey {
  readonly type: 'GuardrailUnassignedFromKey';
  readonly data: {
    readonly accountId: string;
    readonly guardrailId: string;
    readonly keyHash: string;
    readonly unassignedAt: string;
  };
}

/** The key is deleted: it gets no guardrail any more, however late one is assigned. */
export interface GuardrailKeyRetired {
  readonly type: 'GuardrailKeyRetired';
  readonly data: {
    readonly accountId: string;
    readonly keyHash: string;
    readonly retiredAt: string;
  };
}
