import { AccountServiceService } from '@sluice/protos/sluice/account/v1/account';
import { KeyServiceService } from '@sluice/protos/sluice/key/v1/key';
import { rpcClient } from '@sluice/rpc';
import type { Lifecycle } from '@sluice/boot';
import { connectStores, type Stores, type StoreSurroundings } from '@sluice/boot/stores';
import type { Directory } from '../commands/directory.ts';
import type { WorkspaceConfig } from '../config.ts';
import { rpcDirectory } from './directory.ts';

export interface Clients extends Stores {
  readonly directory: Directory;
}

const deadlineMs = 2_000;

/** Connects the service when it runs as a process of its own. The connections stop with the lifecycle. */
export async function connectClients(
  config: WorkspaceConfig,
  surroundings: StoreSurroundings,
): Promise<Clients> {
  const { lifecycle } = surroundings;
  const stores = await connectStores('workspace', config, surroundings);
  return { ...stores, directory: connectDirectory(config, lifecycle) };
}

/** Connects with the first question. */
function connectDirectory(config: WorkspaceConfig, lifecycle: Lifecycle): Directory {
  const token = config.SLUICE_RPC_TOKEN.reveal();
  const accountAddress = { address: config.SLUICE_ACCOUNT_ADDRESS, token, deadlineMs };
  const keyAddress = { address: config.SLUICE_KEY_ADDRESS, token, deadlineMs };
  const accounts = rpcClient(AccountServiceService, accountAddress);
  lifecycle.add({ name: 'account client', stop: async () => accounts.close() });
  const keys = rpcClient(KeyServiceService, keyAddress);
  lifecycle.add({ name: 'key client', stop: async () => keys.close() });
  return rpcDirectory({ accounts, keys });
}
