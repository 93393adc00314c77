import { boundedLimit } from '@sluice/amounts';
import type { Principal } from '@sluice/inference-port';
import { guardrailScopeId, type Budget } from '@sluice/spend';
import type { Guardrail, Policy, WorkspaceBudget } from '../policy/policy.ts';

/** The budgets of a principal by a policy. Both are the same objects for as long as they are cached. */
interface Remembered {
  readonly policy: Policy;
  readonly budgets: readonly Budget[];
}

const remembered = new WeakMap<Principal, Remembered>();

/**
 * All that caps a request, in the order in which they refuse: the credits, the limit of the key, the
 * budgets of the workspace from the broadest on, then those of the guardrails: of the workspace, of the
 * member, of the key.
 */
export function budgetsOf(principal: Principal, policy: Policy): readonly Budget[] {
  const known = remembered.get(principal);
  if (known?.policy === policy) return known.budgets;
  const budgets = listBudgets(principal, policy);
  remembered.set(principal, { policy, budgets });
  return budgets;
}

function listBudgets(principal: Principal, policy: Policy): readonly Budget[] {
  const { accountId, workspaceId, keyHash, limitNanoUsd, limitReset } = principal;
  const budgets: Budget[] = [
    {
      accountId,
      scopeKind: 'account',
      scopeId: accountId,
      interval: null,
      limitNanoUsd: undefined,
      includeByok: false,
    },
  ];
  if (limitNanoUsd !== null)
    budgets.push({
      accountId,
      scopeKind: 'key',
      scopeId: keyHash,
      interval: limitReset,
      limitNanoUsd: boundedLimit(limitNanoUsd),
      includeByok: principal.includeByokInLimit,
    });
  for (const budget of policy.budgets)
    budgets.push({
      accountId,
      scopeKind: 'workspace',
      scopeId: workspaceId,
      ...bounded(budget),
      includeByok: policy.includeByokInBudgets,
    });
  for (const guardrail of policy.guardrails)
    if (guardrail.budget)
      budgets.push({
        accountId,
        scopeKind: 'guardrail',
        scopeId: scopeIdOf(guardrail),
        ...bounded(guardrail.budget),
        includeByok: guardrail.includeByok,
      });
  return budgets;
}

/** Also of guardrails without a budget: one that gets it later counts what was spent before. */
export function guardrailScopesOf({ guardrails }: Policy): readonly string[] {
  return guardrails.map(scopeIdOf);
}

function bounded(budget: WorkspaceBudget): WorkspaceBudget {
  return { ...budget, limitNanoUsd: boundedLimit(budget.limitNanoUsd) };
}

function scopeIdOf({ id, scope, assigneeId }: Guardrail): string {
  return guardrailScopeId({ guardrailId: id, assigneeKind: scope, assigneeId });
}
