import { WorkspaceServiceService } from '@sluice/protos/sluice/workspace/v1/workspace';
import { rpcClient } from '@sluice/rpc';
import { connectStores, type Stores, type StoreSurroundings } from '@sluice/boot/stores';
import type { Workspaces } from '../commands/workspaces.ts';
import type { AccountConfig } from '../config.ts';
import { rpcWorkspaces } from './workspaces.ts';

export interface Clients extends Stores {
  readonly workspaces: Workspaces;
}

const deadlineMs = 5_000;

/** Connects the service when it runs as a process of its own. The connections stop with the lifecycle. */
export async function connectClients(
  config: AccountConfig,
  surroundings: StoreSurroundings,
): Promise<Clients> {
  const { lifecycle } = surroundings;
  const stores = await connectStores('account', config, surroundings);
  // Connects with the first question.
  const calls = rpcClient(WorkspaceServiceService, {
    address: config.SLUICE_WORKSPACE_ADDRESS,
    token: config.SLUICE_RPC_TOKEN.reveal(),
    deadlineMs,
  });
  lifecycle.add({ name: 'workspace client', stop: async () => calls.close() });
  return { ...stores, workspaces: rpcWorkspaces(calls) };
}
