import { Fault, invalidValue, requireAccepted } from '@sluice/errors';
import { commandContext } from '@sluice/rpc';
import { derivedId } from '@sluice/clock-and-ids';
import { isBudgetInterval } from '../domain/workspace/budgets.ts';
import type { WorkspaceCommand } from '../domain/workspace/commands.ts';
import type { BudgetInterval } from '../domain/workspace/events.ts';
import type { LivingWorkspace } from '../domain/workspace/state.ts';
import { workspaceEvents } from '../store/workspace-events.ts';
import { type Handlers, type WorkspaceRpcDependencies } from './dependencies.ts';
import { requireWorkspace } from './require-workspace.ts';
import { budgetMessage } from './workspace-message.ts';

/** Changes what a workspace may spend. */
export function budgetCalls(dependencies: WorkspaceRpcDependencies) {
  const { eventStore, readModel, clock, publishChange, shown } = dependencies;
  const handle = workspaceEvents.handler(eventStore);

  async function carryOut(
    workspaceId: string,
    command: WorkspaceCommand,
    context: ReturnType<typeof commandContext>,
  ): Promise<LivingWorkspace> {
    const handled = requireAccepted(await handle(workspaceId, command, context));
    const { accountId } = context;
    await shown.workspaces(handled.position, context.signal);
    if (handled.events.length > 0) publishChange({ accountId });
    if (handled.state.kind !== 'created') throw new Fault('not_found');
    return handled.state;
  }

  return {
    async setBudget({ context: sent, workspaceRef, windowKind, limitNanoUsd, includeByok }) {
      const context = commandContext(sent, clock.now());
      const { accountId, occurredAt, commandId } = context;
      const interval = requireInterval(windowKind);
      const { workspaceId } = await requireWorkspace(readModel, accountId, workspaceRef);
      const budgetId = derivedId('budget', workspaceId, commandId);
      const values = { accountId, budgetId, interval, limitNanoUsd, occurredAt };
      const state = await carryOut(
        workspaceId,
        { type: 'SetBudget', ...values, includeByokInBudgets: includeByok },
        context,
      );
      const budget = state.budgets.find((one) => one.interval === interval);
      return {
        workspaceId,
        budget: budget && budgetMessage(budget),
        includeByok: state.includeByokInBudgets,
      };
    },
    async removeBudget({ context: sent, workspaceRef, windowKind }) {
      const context = commandContext(sent, clock.now());
      const { accountId, occurredAt } = context;
      const interval = requireInterval(windowKind);
      const { workspaceId } = await requireWorkspace(readModel, accountId, workspaceRef);
      await carryOut(
        workspaceId,
        { type: 'RemoveBudget', accountId, interval, occurredAt },
        context,
      );
      return {};
    },
  } satisfies Partial<Handlers>;
}

function requireInterval(text: string): BudgetInterval {
  if (isBudgetInterval(text)) return text;
  const message = 'must be daily, weekly, monthly or lifetime';
  throw invalidValue('interval', message);
}
