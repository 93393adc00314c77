import type { Ids } from '@sluice/clock-and-ids';
import type { KeyServiceService } from '@sluice/protos/sluice/key/v1/key';
import type { RpcClient } from '@sluice/rpc';
import type { Output } from '../output.ts';

/** The dependencies of the commands for keys. */
export interface KeySurroundings {
  readonly keys: Pick<
    RpcClient<KeyServiceService>,
    'issueKey' | 'confirmDelivery' | 'updateKey' | 'deleteKey' | 'getKey' | 'listManagementKeys'
  >;
  readonly accountId: string;
  readonly output: Output;
  readonly ids: Ids;
}
