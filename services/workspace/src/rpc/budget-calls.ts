import { Fault, invalidRequest, isRejection, rejectionToFault } from '@sluice/errors';
import { commandContext } from '@sluice/rpc';
import { derivedId } from '@sluice/service';
import { isBudgetInterval } from '../domain/workspace/budgets.ts';
import type { WorkspaceCommand } from '../domain/workspace/commands.ts';
import type { BudgetInterval } from '../domain/workspace/events.ts';
import { isUuid } from '../domain/workspace/settings.ts';
import type { LivingWorkspace } from '../domain/workspace/state.ts';
import { loadWorkspace, workspaceHandler } from '../store/workspace-handler.ts';
import {
  type Handlers,
  projectedTimeoutMs,
  type WorkspaceRpcDependencies,
} from './dependencies.ts';
import { requireWorkspace } from './require-workspace.ts';
import { budgetMessage, budgetMessages } from './workspace-message.ts';

/** What a workspace may spend. Read from the log: right at once after a change. */
export function budgetCalls(dependencies: WorkspaceRpcDependencies) {
  return { ...writing(dependencies), ...reading(dependencies) };
}

function writing(dependencies: WorkspaceRpcDependencies) {
  const { eventStore, readModel, clock, publishChange, workspacesProjected } = dependencies;
  const handle = workspaceHandler(eventStore);

  async function carryOut(
    workspaceId: string,
    command: WorkspaceCommand,
    context: ReturnType<typeof commandContext>,
  ): Promise<LivingWorkspace> {
    const handled = await handle(workspaceId, command, context);
    if (isRejection(handled)) throw rejectionToFault(handled);
    const { accountId } = context;
    if (handled.events.length > 0) publishChange({ accountId });
    await workspacesProjected(handled.position, projectedTimeoutMs);
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

function reading({ eventStore, readModel }: WorkspaceRpcDependencies) {
  async function living(accountId: string, workspaceId: string) {
    const { state } = await loadWorkspace(eventStore, workspaceId);
    return state.kind === 'created' && state.accountId === accountId ? state : undefined;
  }
  return {
    async listBudgets({ accountId, workspaceRef }) {
      const { workspaceId } = await requireWorkspace(readModel, accountId, workspaceRef);
      const workspace = await living(accountId, workspaceId);
      if (!workspace) throw new Fault('not_found');
      const budgets = budgetMessages(workspace);
      return { workspaceId, budgets, includeByok: workspace.includeByokInBudgets };
    },
    async getSpendPolicy({ accountId, workspaceId: sent }) {
      const workspaceId = sent.toLowerCase();
      const workspace = isUuid(workspaceId) ? await living(accountId, workspaceId) : undefined;
      if (!workspace) return { isAlive: false, budgets: [], includeByok: false };
      const { defaultTextModel, defaultProviderSort } = workspace.settings;
      return {
        isAlive: true,
        budgets: budgetMessages(workspace),
        includeByok: workspace.includeByokInBudgets,
        defaultTextModel: defaultTextModel ?? undefined,
        defaultProviderSort: defaultProviderSort ?? undefined,
      };
    },
  } satisfies Partial<Handlers>;
}

function requireInterval(text: string): BudgetInterval {
  if (isBudgetInterval(text)) return text;
  const message = 'must be daily, weekly, monthly or lifetime';
  throw rejectionToFault(invalidRequest([{ path: 'interval', message }]));
}
