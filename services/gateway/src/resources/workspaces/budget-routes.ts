import { Fault, invalidRequest, rejectionToFault } from '@sluice/errors';
import type { Ids } from '@sluice/clock-and-ids';
import type { SetBudgetResponse } from '@sluice/protos/sluice/workspace/v1/workspace';
import type { WorkspaceCalls } from '../../clients/calls.ts';
import type { App } from '../../http/app-types.ts';
import { callerOf, commandContextOf } from '../../http/caller.ts';
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

const config = { auth: 'management', errors: [] } as const;
const configOfOne = { auth: 'management', errors: [400] } as const;
const url = '/v1/workspaces/:workspace_ref/budgets';

export function workspaceBudgetsRoutes(app: App, dependencies: WorkspaceBudgetsDependencies): void {
  listBudgets(app, dependencies);
  readBudget(app, dependencies);
  setBudget(app, dependencies);
  deleteBudget(app, dependencies);
}

function listBudgets(app: App, { workspaces }: WorkspaceBudgetsDependencies): void {
  app.route({
    method: 'GET',
    url,
    config,
    schema: {
      operationId: 'listWorkspaceBudgets',
      summary: 'List what a workspace may spend, from the broadest window to the narrowest',
      params: anyBudgets,
      response: { 200: budgetListReply },
    },
    handler: async (request) => {
      const { accountId } = callerOf(request);
      const workspaceRef = request.params.workspace_ref;
      const found = await workspaces.listBudgets({ accountId, workspaceRef });
      const data = found.budgets.map((budget) => budgetView(found.workspaceId, budget));
      return { data, include_byok_in_budgets: found.includeByok };
    },
  });
}

function readBudget(app: App, { workspaces }: WorkspaceBudgetsDependencies): void {
  app.route({
    method: 'GET',
    url: `${url}/:interval`,
    config: configOfOne,
    schema: {
      operationId: 'getWorkspaceBudget',
      summary: 'Read what a workspace may spend in a window',
      params: oneBudget,
      response: { 200: budgetReply },
    },
    handler: async (request) => {
      const { accountId } = callerOf(request);
      const { workspace_ref: workspaceRef, interval } = request.params;
      const found = await workspaces.listBudgets({ accountId, workspaceRef });
      const budget = found.budgets.find(({ windowKind }) => windowKind === interval);
      if (!budget) throw new Fault('not_found');
      return replyOf({ ...found, budget });
    },
  });
}

function setBudget(app: App, { workspaces, ids }: WorkspaceBudgetsDependencies): void {
  app.route({
    method: 'PUT',
    url: `${url}/:interval`,
    config: configOfOne,
    schema: {
      operationId: 'setWorkspaceBudget',
      summary: 'Set what a workspace may spend in a window; less than in each broader one',
      params: oneBudget,
      body: setBudgetBody,
      response: { 200: budgetReply },
    },
    handler: async (request) => {
      const { workspace_ref: workspaceRef, interval } = request.params;
      const found = await workspaces.setBudget({
        context: commandContextOf(request, ids),
        workspaceRef,
        windowKind: interval,
        limitNanoUsd: limitOf(request.body),
        includeByok: request.body.include_byok_in_budgets,
      });
      return replyOf(found);
    },
  });
}

function deleteBudget(app: App, { workspaces, ids }: WorkspaceBudgetsDependencies): void {
  app.route({
    method: 'DELETE',
    url: `${url}/:interval`,
    config: configOfOne,
    schema: {
      operationId: 'deleteWorkspaceBudget',
      summary: 'Take away what a workspace may spend in a window, if it is there',
      params: oneBudget,
      response: { 200: deletedReply },
    },
    handler: async (request) => {
      const { workspace_ref: workspaceRef, interval } = request.params;
      const context = commandContextOf(request, ids);
      await workspaces.removeBudget({ context, workspaceRef, windowKind: interval });
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
