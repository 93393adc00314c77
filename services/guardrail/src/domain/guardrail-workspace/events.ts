/** Whether a workspace can have guardrails. Names and shapes are the storage format: see store/. */
export type GuardrailWorkspaceEvent = GuardrailWorkspaceEnded;

/** The workspace is deleted: its guardrails go with it, also those that are created too late. */
export interface GuardrailWorkspaceEnded {
  readonly type: 'GuardrailWorkspaceEnded';
  readonly data: {
    readonly accountId: string;
    readonly workspaceId: string;
    readonly endedAt: string;
  };
}
