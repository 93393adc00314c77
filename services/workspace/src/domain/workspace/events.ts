/** The events of a workspace. Names and shapes are the storage format: see store/. */
export type WorkspaceEvent =
  | WorkspaceCreated
  | WorkspaceUpdated
  | WorkspaceBudgetSet
  | WorkspaceBudgetRemoved
  | WorkspaceByokBudgetPolicyChanged
  | WorkspaceDeleted;

/** By what the endpoints of a model are ordered when a request does not say. */
export type ProviderSort = 'price' | 'throughput' | 'latency' | 'exacto';

/** How long the window of a budget is; lifetime: it never starts anew. */
export type BudgetInterval = 'daily' | 'weekly' | 'monthly' | 'lifetime';

/** The settings of a workspace that people change. */
export interface WorkspaceSettings {
  readonly name: string;
  /** Its name in a path. */
  readonly slug: string;
  readonly description: string | null;
  /** The model of a request that names none. */
  readonly defaultTextModel: string | null;
  readonly defaultImageModel: string | null;
  readonly defaultProviderSort: ProviderSort | null;
  /** Prompts and completions are stored, privately. */
  readonly isObservabilityIoLoggingEnabled: boolean;
  /** The share of the requests that is stored, 0.0001 to 1. */
  readonly ioLoggingSamplingRate: number;
  /** The keys whose traffic is logged; null: all keys. */
  readonly ioLoggingApiKeyIds: readonly number[] | null;
  /** The destinations of the workspace receive what it does. */
  readonly isObservabilityBroadcastEnabled: boolean;
  readonly isDataDiscountLoggingEnabled: boolean;
  /** Tools of the server that requests may not name; null: none. */
  readonly disabledServerTools: readonly string[] | null;
}

/** Settings that became others. */
export interface ChangedSettings {
  readonly name?: string;
  readonly slug?: string;
  readonly description?: string | null;
  readonly defaultTextModel?: string | null;
  readonly defaultImageModel?: string | null;
  readonly defaultProviderSort?: ProviderSort | null;
  readonly isObservabilityIoLoggingEnabled?: boolean;
  readonly ioLoggingSamplingRate?: number;
  readonly ioLoggingApiKeyIds?: readonly number[] | null;
  readonly isObservabilityBroadcastEnabled?: boolean;
  readonly isDataDiscountLoggingEnabled?: boolean;
  readonly disabledServerTools?: readonly string[] | null;
}

/** A workspace exists from now on. */
export interface WorkspaceCreated {
  readonly type: 'WorkspaceCreated';
  readonly data: {
    readonly workspaceId: string;
    readonly accountId: string;
    readonly isDefault: boolean;
    readonly settings: WorkspaceSettings;
    /** The user; null: made by no person. */
    readonly createdBy: string | null;
    readonly createdAt: string;
  };
}

/** Settings became others; those that are not named stayed. */
export interface WorkspaceUpdated {
  readonly type: 'WorkspaceUpdated';
  readonly data: {
    readonly changes: ChangedSettings;
    readonly changedAt: string;
  };
}

/** The budget of the workspace for windows of this length was set or changed. No usage is reset. */
export interface WorkspaceBudgetSet {
  readonly type: 'WorkspaceBudgetSet';
  readonly data: {
    readonly budgetId: string;
    readonly interval: BudgetInterval;
    /** A whole number of nano-USD above 0, in decimal digits. */
    readonly limitNanoUsd: string;
    readonly changedAt: string;
  };
}

/** There is no cap on windows of this length any more. */
export interface WorkspaceBudgetRemoved {
  readonly type: 'WorkspaceBudgetRemoved';
  readonly data: {
    readonly interval: BudgetInterval;
    readonly changedAt: string;
  };
}

/** Whether usage on credentials of one's own counts against all budgets was changed. */
export interface WorkspaceByokBudgetPolicyChanged {
  readonly type: 'WorkspaceByokBudgetPolicyChanged';
  readonly data: {
    readonly includeByokInBudgets: boolean;
    readonly changedAt: string;
  };
}

/** The workspace is gone for good, with its budgets; its usage history stays. */
export interface WorkspaceDeleted {
  readonly type: 'WorkspaceDeleted';
  readonly data: {
    readonly changedAt: string;
  };
}
