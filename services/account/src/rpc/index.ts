import type { Queryable } from '@sluice/read-model';
import type { RpcService } from '@sluice/rpc';
import { type AccountRpcDependencies, accountRpc } from './account-service.ts';
import { auditRpc } from './audit-service.ts';
import { type EndUserRpcDependencies, endUserRpc } from './end-user-service.ts';
import { idempotencyRpc } from './idempotency-service.ts';
import {
  type PrivateEndpointRpcDependencies,
  privateEndpointRpcs,
} from './private-endpoint-service.ts';
import { type ScimRpcDependencies, scimRpc } from './scim-service.ts';

type Dependencies = AccountRpcDependencies &
  EndUserRpcDependencies &
  ScimRpcDependencies &
  PrivateEndpointRpcDependencies & { readonly database: Queryable };

export function accountRpcs(dependencies: Dependencies): readonly RpcService[] {
  return [
    accountRpc(dependencies),
    endUserRpc(dependencies),
    scimRpc(dependencies),
    idempotencyRpc(dependencies.database),
    auditRpc(dependencies),
    ...privateEndpointRpcs(dependencies),
  ];
}
