import { WorkspaceServiceService } from '@sluice/protos/sluice/workspace/v1/workspace';
import { implement, type RpcService } from '@sluice/rpc';
import { aliasCalls } from './alias-calls.ts';
import { budgetCalls } from './budget-calls.ts';
import { budgetQuestions } from './budget-questions.ts';
import type { WorkspaceRpcDependencies } from './dependencies.ts';
import { memberCalls } from './member-calls.ts';
import { presetCalls } from './preset-calls.ts';
import { workspaceCalls } from './workspace-calls.ts';

export function workspaceRpc(dependencies: WorkspaceRpcDependencies): RpcService {
  return implement(WorkspaceServiceService, {
    ...workspaceCalls(dependencies),
    ...memberCalls(dependencies),
    ...aliasCalls(dependencies),
    ...presetCalls(dependencies),
    ...budgetCalls(dependencies),
    ...budgetQuestions(dependencies),
  });
}
