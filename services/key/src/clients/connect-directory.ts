import { AccountServiceService } from '@sluice/protos/sluice/account/v1/account';
import { WorkspaceServiceService } from '@sluice/protos/sluice/workspace/v1/workspace';
import { rpcClient } from '@sluice/rpc';
import type { Directory } from '../commands/directory.ts';
import { rpcDirectory } from './directory.ts';

export interface DirectoryAddresses {
  /** host:port */
  readonly accountAddress: string;
  /** host:port */
  readonly workspaceAddress: string;
  readonly token: string;
}

const deadlineMs = 2_000;

/** The directory over gRPC; connects with the first question. */
export function connectDirectory(addresses: DirectoryAddresses): Directory & {
  stop(): Promise<void>;
} {
  const { accountAddress, workspaceAddress, token } = addresses;
  const accounts = rpcClient(AccountServiceService, { address: accountAddress, token, deadlineMs });
  const workspaces = rpcClient(WorkspaceServiceService, {
    address: workspaceAddress,
    token,
    deadlineMs,
  });
  return {
    ...rpcDirectory({ accounts, workspaces }),
    async stop() {
      accounts.close();
      workspaces.close();
    },
  };
}
