/** What happens to a workspace. Names and shapes are the storage format: see store/. */
export type WorkspaceEvent = WorkspaceCreated;

/** A workspace exists from now on. */
export interface WorkspaceCreated {
  readonly type: 'WorkspaceCreated';
  readonly data: {
    readonly workspaceId: string;
    readonly accountId: string;
    readonly name: string;
    /** Its name in a path. */
    readonly slug: string;
    readonly isDefault: boolean;
    readonly createdAt: string;
  };
}
