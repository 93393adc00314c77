import { GuardrailServiceService } from '@sluice/protos/sluice/guardrail/v1/guardrail';
import { implement, type RpcService } from '@sluice/rpc';
import { assigning } from './assigning.ts';
import { allowing } from './allowing.ts';
import { asking } from './asking.ts';
import { changing } from './changing.ts';
import { leavingOut } from './leaving-out.ts';
import { trying } from './trying.ts';
import type { GuardrailRpcDependencies } from './dependencies.ts';

export function guardrailRpc(dependencies: GuardrailRpcDependencies): RpcService {
  return implement(GuardrailServiceService, {
    ...changing(dependencies),
    ...assigning(dependencies),
    ...asking(dependencies),
    ...trying(dependencies),
    ...allowing(dependencies),
    ...leavingOut(dependencies),
  });
}
