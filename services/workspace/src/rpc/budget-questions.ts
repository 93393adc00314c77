import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '@sluice/errors';
import { requireReadable } from '@sluice/read-model';
import { isUuid } from '../domain/workspace/settings.ts';
import { aliasesIn } from '../domain/model-aliases/state.ts';
import type { LivingWorkspace, Workspace } from '../domain/workspace/state.ts';
import { findWorkspaceState } from '../queries/find-workspace-state.ts';
import { observationOf } from '../queries/observation-of.ts';
import { workspaceEvents } from '../store/workspace-events.ts';
import { aliasesOf, aliasMessage } from './alias-calls.ts';
import type { BudgetQuestionDependencies, Handlers } from './dependencies.ts';
import { requireWorkspace } from './require-workspace.ts';
import {
  budgetMessages,
  contentLoggingMessage,
  pluginDefaultMessages,
} from './workspace-message.ts';

/** Milliseconds that the answer for an unknown workspace waits: it may just have been created. */
const behindMsMax = 500;
const pollMs = 20;
const retryAfterSeconds = 1;

/** Returns the budgets of a workspace, from the read model. */
export function budgetQuestions({ readModel, isComplete }: BudgetQuestionDependencies) {
  async function living(
    accountId: string,
    workspaceId: string,
  ): Promise<LivingWorkspace | undefined> {
    const deadlineMs = performance.now() + behindMsMax;
    for (;;) {
      // A read model that lacks budgets would let spend through that they forbid.
      const found = isComplete()
        ? ((await findWorkspaceState(readModel, { accountId, workspaceId })) as
            | Workspace
            | undefined)
        : undefined;
      if (found) return found.kind === 'created' ? found : undefined;
      if (performance.now() >= deadlineMs) break;
      await delay(pollMs);
    }
    if (!isComplete()) throw new Fault('unavailable', { retryAfterSeconds });
    return undefined;
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
      await requireReadable(readModel, [`${workspaceEvents.streamPrefix}${workspaceId}`]);
      const [workspace, aliases] = await Promise.all([
        isUuid(workspaceId) ? living(accountId, workspaceId) : undefined,
        aliasesOf(readModel, accountId),
      ]);
      if (!workspace)
        return {
          isAlive: false,
          budgets: [],
          includeByok: false,
          disabledServerTools: [],
          defaultPlugins: [],
          modelAliases: [],
          observation: '',
          givesData: false,
          contentLogging: undefined,
        };
      const { defaultTextModel, defaultProviderSort, disabledServerTools, defaultPlugins } =
        workspace.settings;
      const observation = workspace.settings.isObservabilityBroadcastEnabled
        ? await observationOf(readModel, { accountId, workspaceId })
        : '';
      return {
        isAlive: true,
        budgets: budgetMessages(workspace),
        includeByok: workspace.includeByokInBudgets,
        defaultTextModel: defaultTextModel ?? undefined,
        defaultProviderSort: defaultProviderSort ?? undefined,
        disabledServerTools: [...(disabledServerTools ?? [])],
        defaultPlugins: pluginDefaultMessages(defaultPlugins),
        modelAliases: aliasesIn(aliases, workspaceId).map(aliasMessage),
        observation,
        givesData: workspace.settings.isDataDiscountLoggingEnabled,
        contentLogging: contentLoggingMessage(workspace.settings),
      };
    },
  } satisfies Partial<Handlers>;
}
