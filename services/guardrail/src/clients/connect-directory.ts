import { AccountServiceService } from '@sluice/protos/sluice/account/v1/account';
import { KeyServiceService } from '@sluice/protos/sluice/key/v1/key';
import { WorkspaceServiceService } from '@sluice/protos/sluice/workspace/v1/workspace';
import { rpcClient } from '@sluice/rpc';
import type { Directory } from '../commands/directory.ts';
import { rpcDirectory } from './directory.ts';

export interface DirectoryAddresses {
  /** host:port */
  readonly accountAddress: string;
  /** host:port */
  readonly workspaceAddress: string;
  /** host:port */
  readonly keyAddress: string;
  readonly token: string;
}

const deadlineMs = 2_000;

/** The directory over gRPC; connects with the first question. */
export function connectDirectory(addresses: DirectoryAddresses): Directory & {
  stop(): Promise<void>;
} {
  const reach = (address: string) => ({ address, token: addresses.token, deadlineMs });
  const accounts = rpcClient(AccountServiceService, reach(addresses.accountAddress));
  const workspaces = rpcClient(WorkspaceServiceService, reach(addresses.workspaceAddress));
  const keys = rpcClient(KeyServiceService, reach(addresses.keyAddress));
  return {
    ...rpcDirectory({ accounts, workspaces, keys }),
    async stop() {
      for (const client of [accounts, workspaces, keys]) client.close();
    },
  };
}
