import { connectStores, type Stores, type StoreSurroundings } from '@sluice/boot/stores';
import type { Directory } from '../commands/directory.ts';
import type { KeyConfig } from '../config.ts';
import { connectDirectory } from './connect-directory.ts';

export interface Clients extends Stores {
  readonly directory: Directory;
}

/** Connects the service when it runs as a process of its own. The connections stop with the lifecycle. */
export async function connectClients(
  config: KeyConfig,
  surroundings: StoreSurroundings,
): Promise<Clients> {
  const { lifecycle } = surroundings;
  const stores = await connectStores('key', config, surroundings);
  const directory = connectDirectory({
    accountAddress: config.SLUICE_ACCOUNT_ADDRESS,
    workspaceAddress: config.SLUICE_WORKSPACE_ADDRESS,
    token: config.SLUICE_RPC_TOKEN.reveal(),
  });
  lifecycle.add({ name: 'directory', stop: () => directory.stop() });
  return { ...stores, directory };
}
