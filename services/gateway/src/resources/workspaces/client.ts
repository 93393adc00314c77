import { Fault } from '@sluice/errors';
import type { CommandContext } from '@sluice/protos/sluice/context/v1/context';
import type {
  AddMembersRequest,
  AddMembersResponse,
  Budget,
  CreateWorkspaceRequest,
  DeleteWorkspaceRequest,
  ListBudgetsRequest,
  ListBudgetsResponse,
  ListMembersRequest,
  ListMembersResponse,
  ListWorkspacesRequest,
  ListWorkspacesResponse,
  RemoveMembersRequest,
  SetBudgetRequest,
  UpdateWorkspaceRequest,
  Workspace,
  WorkspaceServiceService,
} from '@sluice/protos/sluice/workspace/v1/workspace';
import type { Calls } from '@sluice/rpc';
import { present } from '../../clients/present.ts';

/** The calls of the gateway to the workspace service. */
export type WorkspaceCalls = Pick<
  Calls<WorkspaceServiceService>,
  | 'createWorkspace'
  | 'getWorkspace'
  | 'listWorkspaces'
  | 'updateWorkspace'
  | 'deleteWorkspace'
  | 'listMembers'
  | 'addMembers'
  | 'removeMembers'
  | 'listBudgets'
  | 'setBudget'
  | 'removeBudget'
>;

export interface FoundBudget {
  readonly workspaceId: string;
  readonly budget: Budget;
  readonly includeByok: boolean;
}

/** A workspace is named by its UUID or its slug. Each throws not_found when the account has none of it. */
export interface WorkspaceClient {
  /** Throws conflict when the slug is taken. */
  create(request: CreateWorkspaceRequest): Promise<Workspace>;
  find(accountId: string, reference: string): Promise<Workspace>;
  /** The default one first, then as they were made. */
  list(request: ListWorkspacesRequest): Promise<ListWorkspacesResponse>;
  update(request: UpdateWorkspaceRequest): Promise<Workspace>;
  delete(request: DeleteWorkspaceRequest): Promise<void>;
  listMembers(request: ListMembersRequest): Promise<ListMembersResponse>;
  addMembers(request: AddMembersRequest): Promise<AddMembersResponse>;
  /** Returns the number of those that were members. */
  removeMembers(request: RemoveMembersRequest): Promise<number>;
  listBudgets(request: ListBudgetsRequest): Promise<ListBudgetsResponse>;
  /** Throws not_found also when there is no budget of that window. */
  findBudget(request: ListBudgetsRequest, windowKind: string): Promise<FoundBudget>;
  setBudget(request: SetBudgetRequest): Promise<FoundBudget>;
  removeBudget(context: CommandContext, workspaceRef: string, windowKind: string): Promise<void>;
}

export function workspaceClient(calls: WorkspaceCalls): WorkspaceClient {
  return {
    create: async (request) => present((await calls.createWorkspace(request)).workspace),
    find: async (accountId, workspaceId) =>
      present((await calls.getWorkspace({ accountId, workspaceId })).workspace),
    list: (request) => calls.listWorkspaces(request),
    update: async (request) => present((await calls.updateWorkspace(request)).workspace),
    delete: async (request) => void (await calls.deleteWorkspace(request)),
    listMembers: (request) => calls.listMembers(request),
    addMembers: (request) => calls.addMembers(request),
    removeMembers: async (request) => (await calls.removeMembers(request)).removedCount,
    listBudgets: (request) => calls.listBudgets(request),
    async findBudget(request, windowKind) {
      const { workspaceId, budgets, includeByok } = await calls.listBudgets(request);
      const budget = budgets.find((one) => one.windowKind === windowKind);
      if (!budget) throw new Fault('not_found');
      return { workspaceId, budget, includeByok };
    },
    async setBudget(request) {
      const { workspaceId, budget, includeByok } = await calls.setBudget(request);
      return { workspaceId, budget: present(budget), includeByok };
    },
    removeBudget: async (context, workspaceRef, windowKind) =>
      void (await calls.removeBudget({ context, workspaceRef, windowKind })),
  };
}
