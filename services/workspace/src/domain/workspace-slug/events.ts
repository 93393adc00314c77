/** The events of one slug of one account. Names and shapes are the storage format: see store/. */
export type WorkspaceSlugEvent = WorkspaceSlugClaimed;

/**
 * A workspace may take the slug from now on. Whether it did, and whether it still has it, its own
 * stream says: nothing is written to let a slug go.
 */
export interface WorkspaceSlugClaimed {
  readonly type: 'WorkspaceSlugClaimed';
  readonly data: {
    readonly accountId: string;
    readonly slug: string;
    readonly workspaceId: string;
    /** The command that takes it: the events of the workspace carry the same. */
    readonly claimId: string;
    readonly claimedAt: string;
  };
}
