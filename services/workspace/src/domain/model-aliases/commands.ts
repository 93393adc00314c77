interface Of {
  readonly accountId: string;
  /** null: the alias holds in the whole account. */
  readonly workspaceId: string | null;
  readonly name: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly occurredAt: string;
}

/** Makes or changes an alias. The caller has checked that its models exist, and that no model has its name. */
export interface SetModelAlias extends Of {
  readonly type: 'SetModelAlias';
  /** The id of the alias when there is none of this name yet. */
  readonly aliasId: string;
  readonly models: readonly string[];
  readonly budgetModel: string | null;
  readonly description: string | null;
}

export interface DeleteModelAlias extends Of {
  readonly type: 'DeleteModelAlias';
}

/** Deletes the aliases of a workspace that is gone. */
export interface ClearModelAliases {
  readonly type: 'ClearModelAliases';
  readonly accountId: string;
  readonly workspaceId: string;
  readonly occurredAt: string;
}

export type ModelAliasesCommand = SetModelAlias | DeleteModelAlias | ClearModelAliases;
