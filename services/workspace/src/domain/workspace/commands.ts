import type { BudgetInterval, WorkspaceSettings } from './events.ts';

/** ISO 8601, UTC, milliseconds. */
interface At {
  readonly occurredAt: string;
}

/** Names the account of the workspace. A workspace of another account is as unknown as one that never existed. */
interface Of {
  readonly accountId: string;
}

export interface CreateWorkspace extends Of, At {
  readonly type: 'CreateWorkspace';
  readonly workspaceId: string;
  readonly settings: WorkspaceSettings;
  readonly isDefault: boolean;
  readonly createdBy: string | null;
}

/** The caller that changes the slug has claimed it already: see the aggregate of slugs. */
export interface UpdateWorkspace extends Of, At {
  readonly type: 'UpdateWorkspace';
  readonly changes: Partial<WorkspaceSettings>;
}

export interface SetBudget extends Of, At {
  readonly type: 'SetBudget';
  /** The id of the budget when there is none of this interval yet. */
  readonly budgetId: string;
  readonly interval: BudgetInterval;
  readonly limitNanoUsd: bigint;
  /** If undefined, the setting stays as it is. */
  readonly includeByokInBudgets: boolean | undefined;
}

export interface RemoveBudget extends Of, At {
  readonly type: 'RemoveBudget';
  readonly interval: BudgetInterval;
}

/** Deletes the workspace. The caller has checked before that it has no keys left. */
export interface DeleteWorkspace extends Of, At {
  readonly type: 'DeleteWorkspace';
  readonly confirmsDefault: boolean;
}

export type WorkspaceCommand =
  | CreateWorkspace
  | UpdateWorkspace
  | SetBudget
  | RemoveBudget
  | DeleteWorkspace;
