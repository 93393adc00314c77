import type {
  BudgetInterval,
  WorkspaceBudgetSet,
  WorkspaceCreated,
  WorkspaceEvent,
} from './events.ts';

export type Workspace = { readonly kind: 'none' } | LivingWorkspace | DeletedWorkspace;

export interface LivingWorkspace extends WorkspaceCreatedData {
  readonly kind: 'created';
  /** At most one of each interval. */
  readonly budgets: readonly Budget[];
  readonly includeByokInBudgets: boolean;
  /** null until something was changed. */
  readonly updatedAt: string | null;
}
type WorkspaceCreatedData = WorkspaceCreated['data'];

export interface DeletedWorkspace extends Pick<
  LivingWorkspace,
  'workspaceId' | 'accountId' | 'isDefault'
> {
  readonly kind: 'deleted';
}

export interface Budget {
  readonly budgetId: string;
  readonly interval: BudgetInterval;
  readonly limitNanoUsd: bigint;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const initial: Workspace = { kind: 'none' };

export function evolve(workspace: Workspace, event: WorkspaceEvent): Workspace {
  switch (event.type) {
    case 'WorkspaceCreated': {
      const none = { budgets: [], includeByokInBudgets: false, updatedAt: null };
      return { kind: 'created', ...event.data, ...none };
    }
    case 'WorkspaceUpdated': {
      if (workspace.kind !== 'created') return workspace;
      const settings = { ...workspace.settings, ...event.data.changes };
      return { ...workspace, settings, updatedAt: event.data.changedAt };
    }
    case 'WorkspaceBudgetSet':
      return changed(workspace, (now) => ({ budgets: withBudget(now.budgets, event.data) }));
    case 'WorkspaceBudgetRemoved':
      return changed(workspace, ({ budgets }) => ({
        budgets: budgets.filter(({ interval }) => interval !== event.data.interval),
      }));
    case 'WorkspaceByokBudgetPolicyChanged': {
      const { includeByokInBudgets, changedAt } = event.data;
      return changed(workspace, () => ({ includeByokInBudgets, updatedAt: changedAt }));
    }
    case 'WorkspaceDeleted': {
      if (workspace.kind !== 'created') return workspace;
      const { workspaceId, accountId, isDefault } = workspace;
      return { kind: 'deleted', workspaceId, accountId, isDefault };
    }
  }
}

function changed(
  workspace: Workspace,
  changes: (now: LivingWorkspace) => Partial<LivingWorkspace>,
): Workspace {
  return workspace.kind === 'created' ? { ...workspace, ...changes(workspace) } : workspace;
}

function withBudget(
  budgets: readonly Budget[],
  { budgetId, interval, limitNanoUsd, changedAt }: WorkspaceBudgetSet['data'],
): readonly Budget[] {
  const before = budgets.find((budget) => budget.interval === interval);
  const budget = {
    budgetId,
    interval,
    limitNanoUsd: BigInt(limitNanoUsd),
    createdAt: before?.createdAt ?? changedAt,
    updatedAt: changedAt,
  };
  return [...budgets.filter((other) => other !== before), budget];
}
