/** What happens to a workspace. Names and shapes are the storage format: see store/. */
export type WorkspaceEvent = WorkspaceCreated;

export interface WorkspaceCreated {
  readonly type: 'WorkspaceCreated';
  readonly data: {
    readonly workspaceId: string;
    readonly accountId: string;
    readonly name: string;
    readonly slug: string;
    readonly isDefault: boolean;
    readonly createdAt: string;
  };
}
