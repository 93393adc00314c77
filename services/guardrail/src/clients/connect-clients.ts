import { connectStores, type Stores, type StoreSurroundings } from '@sluice/boot/stores';
import type { Catalog, Directory } from '../commands/directory.ts';
import type { GuardrailConfig } from '../config.ts';
import { listedModels } from './catalog.ts';
import { connectDirectory } from './connect-directory.ts';
import { listsOverHttp } from './lists-over-http.ts';

export interface Clients extends Stores {
  readonly directory: Directory;
  readonly catalog: Catalog;
}

/** Connects the service when it runs as a process of its own. The connections stop with the lifecycle. */
export async function connectClients(
  config: GuardrailConfig,
  surroundings: StoreSurroundings,
): Promise<Clients> {
  const { lifecycle } = surroundings;
  const stores = await connectStores('guardrail', config, surroundings);
  const token = config.SLUICE_RPC_TOKEN.reveal();
  const directory = connectDirectory({
    accountAddress: config.SLUICE_ACCOUNT_ADDRESS,
    workspaceAddress: config.SLUICE_WORKSPACE_ADDRESS,
    keyAddress: config.SLUICE_KEY_ADDRESS,
    token,
  });
  lifecycle.add({ name: 'directory', stop: () => directory.stop() });
  const catalog = listedModels(listsOverHttp({ url: config.SLUICE_ROUTING_URL, token }));
  return { ...stores, directory, catalog };
}
