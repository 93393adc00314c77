import { Fault, invalidRequest, rejectionToFault } from '@sluice/errors';
import type { Ids } from '@sluice/clock-and-ids';
import type { SetBudgetResponse } from '@sluice/protos/sluice/workspace/v1/workspace';
import type { WorkspaceCalls } from '../../clients/calls.ts';
import type { App } from '../../http/app-types.ts';
import { AccountRoutes } from '../../http/routes/account-routes.ts';
import { numberText } from '../../http/request/json-body.ts';
import {
  anyBudgets,
  budgetListReply,
  budgetReply,
  oneBudget,
  setBudgetBody,
} from './budget-schema.ts';
import { deletedReply } from '../../http/schemas/replies.ts';
import { parseUsd } from '../../http/schemas/usd.ts';
import { budgetView } from './view.ts';

export interface WorkspaceBudgetsDependencies {
  readonly workspaces: WorkspaceCalls;
  readonly ids: Ids;
}

const url = '/v1/workspaces/:workspace_ref/budgets';

export function workspaceBudgetsRoutes(
  app: App,
  { workspaces, ids }: WorkspaceBudgetsDependencies,
): void {
  const routes = new AccountRoutes(app, ids, { auth: 'management', errors: [400] });
  routes.get(url, {
    operationId: 'listWorkspaceBudgets',
    summary: 'List what a workspace may spend, from the broadest window to the narrowest',
    params: anyBudgets,
    answer: budgetListReply,
    config: { errors: [] },
    handle: async ({ accountId, params: { workspace_ref: workspaceRef } }) => {
      const found = await workspaces.listBudgets({ accountId, workspaceRef });
      const data = found.budgets.map((budget) => budgetView(found.workspaceId, budget));
      return { data, include_byok_in_budgets: found.includeByok };
    },
  });
  routes.get(`${url}/:interval`, {
    operationId: 'getWorkspaceBudget',
    summary: 'Read what a workspace may spend in a window',
    params: oneBudget,
    answer: budgetReply,
    handle: async ({ accountId, params: { workspace_ref: workspaceRef, interval } }) => {
      const found = await workspaces.listBudgets({ accountId, workspaceRef });
      const budget = found.budgets.find(({ windowKind }) => windowKind === interval);
      if (!budget) throw new Fault('not_found');
      return replyOf({ ...found, budget });
    },
  });
  routes.change('PUT', `${url}/:interval`, {
    operationId: 'setWorkspaceBudget',
    summary: 'Set what a workspace may spend in a window; less than in each broader one',
    params: oneBudget,
    body: setBudgetBody,
    answer: budgetReply,
    handle: async ({ context, params, body }) => {
      const { workspace_ref: workspaceRef, interval: windowKind } = params;
      const [limitNanoUsd, includeByok] = [limitOf(body), body.include_byok_in_budgets];
      const command = { context, workspaceRef, windowKind, limitNanoUsd, includeByok };
      return replyOf(await workspaces.setBudget(command));
    },
  });
  routes.change('DELETE', `${url}/:interval`, {
    operationId: 'deleteWorkspaceBudget',
    summary: 'Take away what a workspace may spend in a window, if it is there',
    params: oneBudget,
    answer: deletedReply,
    handle: async ({ context, params: { workspace_ref: workspaceRef, interval: windowKind } }) => {
      await workspaces.removeBudget({ context, workspaceRef, windowKind });
      return { deleted: true };
    },
  });
}

function replyOf({ workspaceId, budget, includeByok }: SetBudgetResponse) {
  return { data: budgetView(workspaceId, budget), include_byok_in_budgets: includeByok };
}

function limitOf(body: { readonly limit_usd: number }): bigint {
  const limitNanoUsd = parseUsd(numberText(body, 'limit_usd') ?? '');
  if (limitNanoUsd !== undefined) return limitNanoUsd;
  const message = 'must have at most 9 decimal places';
  throw rejectionToFault(invalidRequest([{ path: 'limit_usd', message }]));
}
