import { invalidRequest, type Rejection } from '@sluice/errors';
import { amountNanoUsdMax } from '@sluice/amounts';
import type { RemoveBudget, SetBudget } from './commands.ts';
import type { BudgetInterval, WorkspaceEvent } from './events.ts';
import type { LivingWorkspace } from './state.ts';

/** From the broadest window to the narrowest. */
export const budgetIntervals = [
  'lifetime',
  'monthly',
  'weekly',
  'daily',
] as const satisfies readonly BudgetInterval[];

const nanoPerUsd = 1_000_000_000n;

export function isBudgetInterval(text: string): text is BudgetInterval {
  return (budgetIntervals as readonly string[]).includes(text);
}

/** A budget keeps its id for as long as it is there. */
export function setBudget(
  { interval, limitNanoUsd, includeByokInBudgets, occurredAt, ...command }: SetBudget,
  workspace: LivingWorkspace,
): readonly WorkspaceEvent[] | Rejection<'invalid_request'> {
  if (limitNanoUsd <= 0n || limitNanoUsd > amountNanoUsdMax)
    return invalidRequest([
      { path: 'limit_usd', message: 'must be above 0 and at most 1000000000 USD' },
    ]);
  const message = disorder(workspace, interval, limitNanoUsd);
  if (message !== undefined) return invalidRequest([{ path: 'limit_usd', message }]);
  const before = workspace.budgets.find((budget) => budget.interval === interval);
  const events: WorkspaceEvent[] = [];
  if (before?.limitNanoUsd !== limitNanoUsd) {
    const budgetId = before?.budgetId ?? command.budgetId;
    const data = { budgetId, interval, limitNanoUsd: limitNanoUsd.toString() };
    events.push({ type: 'WorkspaceBudgetSet', data: { ...data, changedAt: occurredAt } });
  }
  const policy = includeByokInBudgets ?? workspace.includeByokInBudgets;
  if (policy !== workspace.includeByokInBudgets)
    events.push({
      type: 'WorkspaceByokBudgetPolicyChanged',
      data: { includeByokInBudgets: policy, changedAt: occurredAt },
    });
  return events;
}

export function removeBudget(
  { interval, occurredAt }: RemoveBudget,
  { budgets }: LivingWorkspace,
): readonly WorkspaceEvent[] {
  if (!budgets.some((budget) => budget.interval === interval)) return [];
  return [{ type: 'WorkspaceBudgetRemoved', data: { interval, changedAt: occurredAt } }];
}

/** The narrower the window, the lower its limit, strictly: else it could never be reached. */
function disorder(
  { budgets }: LivingWorkspace,
  interval: BudgetInterval,
  limitNanoUsd: bigint,
): string | undefined {
  const rank = budgetIntervals.indexOf(interval);
  for (const other of budgets) {
    const otherRank = budgetIntervals.indexOf(other.interval);
    const isTooHigh = otherRank < rank && limitNanoUsd >= other.limitNanoUsd;
    const isTooLow = otherRank > rank && limitNanoUsd <= other.limitNanoUsd;
    const limits = `the ${interval} limit of ${usd(limitNanoUsd)} must be`;
    const than = `than the ${other.interval} limit of ${usd(other.limitNanoUsd)}`;
    if (isTooHigh) return `${limits} lower ${than}`;
    if (isTooLow) return `${limits} higher ${than}`;
  }
  return undefined;
}

function usd(nanoUsd: bigint): string {
  const fraction = (nanoUsd % nanoPerUsd).toString().padStart(9, '0').replace(/0+$/, '');
  const whole = (nanoUsd / nanoPerUsd).toString();
  return `$${fraction === '' ? whole : `${whole}.${fraction}`}`;
}
