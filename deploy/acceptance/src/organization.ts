import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { bootstrapOverRpc } from '@sluice/local';
import { connectionsOf } from './connections.ts';
import type { Instance } from './instance.ts';

type Described = Pick<Instance, 'bootstrap' | 'dataDirectory'>;

/** The same instance for another organization with a workspace, an admin, credits and keys of its own. */
export async function inSecondOrganization<Running extends Described>(
  instance: Running,
  creditsUsd = '10',
): Promise<Running & { readonly bootstrapDirectory: string }> {
  const { dataDirectory, bootstrap } = instance;
  const connections = await connectionsOf(instance);
  const bootstrapDirectory = await mkdtemp(join(dataDirectory, 'second-'));
  const second = await bootstrapOverRpc({
    onWaiting: () => undefined,
    dataDirectory: bootstrapDirectory,
    creditsUsd,
    addresses: {
      account: connections.account_address,
      workspace: connections.workspace_address,
      key: connections.key_address,
      ledger: connections.ledger_address,
    },
    token: connections.rpc_token,
    baseUrl: bootstrap.base_url,
  });
  return { ...instance, bootstrap: second, bootstrapDirectory };
}
