import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateFile } from '@sluice/embedded';
import type { Lifecycle } from '@sluice/boot';
import type { BusAddress } from './infrastructure.ts';

/** The addresses of the parts of a running local Sluice. The URLs and the token open them. */
export interface LocalConnections {
  readonly postgresUrl: string;
  readonly eventStoreUrl: string;
  readonly nats: BusAddress;
  /** Stands before the names of all streams; empty for none. */
  readonly eventStoreNamespace: string;
  /** `host:port` */
  readonly accountAddress: string;
  /** `host:port` */
  readonly workspaceAddress: string;
  /** `host:port` */
  readonly keyAddress: string;
  /** `host:port` */
  readonly ledgerAddress: string;
  /** `host:port` */
  readonly analyticsAddress: string;
  /** `host:port`. Undefined where there is none. */
  readonly sandboxAddress: string | undefined;
  readonly rpcToken: string;
  /** Signs events. */
  readonly eventKey: string;
}

/**
 * Writes the connections to `run/connections.json` (mode 0600) of the data directory, for commands of this machine's
 * user. The file is removed when the lifecycle ends.
 */
export async function tellConnections(
  dataDirectory: string,
  connections: LocalConnections,
  lifecycle: Pick<Lifecycle, 'add'>,
): Promise<void> {
  const directory = join(dataDirectory, 'run');
  const path = join(directory, 'connections.json');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const content = {
    postgres_url: connections.postgresUrl,
    eventstore_url: connections.eventStoreUrl,
    nats_url: connections.nats.url,
    nats_token: connections.nats.token,
    nats_monitor_url: connections.nats.monitorUrl,
    eventstore_namespace: connections.eventStoreNamespace,
    account_address: connections.accountAddress,
    workspace_address: connections.workspaceAddress,
    key_address: connections.keyAddress,
    ledger_address: connections.ledgerAddress,
    analytics_address: connections.analyticsAddress,
    sandbox_address: connections.sandboxAddress,
    rpc_token: connections.rpcToken,
    event_key: connections.eventKey,
  };
  await writePrivateFile(path, `${JSON.stringify(content, null, 2)}\n`);
  lifecycle.add({ name: 'connections', stop: () => rm(path, { force: true }) });
}
