import { AccountServiceService } from '@sluice/protos/sluice/account/v1/account';
import { KeyServiceService } from '@sluice/protos/sluice/key/v1/key';
import { LedgerServiceService } from '@sluice/protos/sluice/ledger/v1/ledger';
import { WorkspaceServiceService } from '@sluice/protos/sluice/workspace/v1/workspace';
import { rpcClient } from '@sluice/rpc';
import { bootstrap, type BootstrapOptions } from './bootstrap.ts';
import type { Bootstrap } from './bootstrap-file.ts';

export interface RemoteBootstrapOptions extends Pick<
  BootstrapOptions,
  'dataDirectory' | 'creditsUsd' | 'onWaiting'
> {
  /** `host:port` of each. */
  readonly addresses: Readonly<Record<'account' | 'workspace' | 'key' | 'ledger', string>>;
  readonly token: string;
  readonly baseUrl: string;
}

const deadlineMs = 10_000;

/** The bootstrap of services that run as processes of their own. */
export async function bootstrapOverRpc(options: RemoteBootstrapOptions): Promise<Bootstrap> {
  const { addresses, token, baseUrl } = options;
  const reach = (name: keyof typeof addresses) => ({ address: addresses[name], token, deadlineMs });
  const clients = {
    accounts: rpcClient(AccountServiceService, reach('account')),
    workspaces: rpcClient(WorkspaceServiceService, reach('workspace')),
    keys: rpcClient(KeyServiceService, reach('key')),
    ledger: rpcClient(LedgerServiceService, reach('ledger')),
  };
  try {
    return await bootstrap({ ...options, ...clients }, async () => baseUrl);
  } finally {
    for (const client of Object.values(clients)) client.close();
  }
}
