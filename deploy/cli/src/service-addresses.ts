import { Secret } from '@sluice/service';
import { type Environment, NoConnections, readConnectionsFile } from './connections-file.ts';

/** Where the services answer that commands are sent to, as `host:port`, and what they must be shown. */
export interface ServiceAddresses {
  readonly accountAddress: string;
  readonly ledgerAddress: string;
  readonly rpcToken: Secret;
}

const addressPattern = /^[^\s/]+:\d{1,5}$/;

/**
 * From the environment, or from `run/connections.json` in the data directory of a local Sluice; what the
 * environment says wins. Throws NoConnections.
 */
export async function findServiceAddresses(env: Environment): Promise<ServiceAddresses> {
  const given = {
    account: env['SLUICE_ACCOUNT_ADDRESS'],
    ledger: env['SLUICE_LEDGER_ADDRESS'],
    token: env['SLUICE_RPC_TOKEN'],
  };
  const { account, ledger, token } =
    given.account && given.ledger && given.token ? given : await completed(given, env);
  if (!token) throw new NoConnections('SLUICE_RPC_TOKEN is not set.');
  return {
    accountAddress: addressOf(account, 'SLUICE_ACCOUNT_ADDRESS'),
    ledgerAddress: addressOf(ledger, 'SLUICE_LEDGER_ADDRESS'),
    rpcToken: new Secret(token),
  };
}

type Given = Readonly<Record<'account' | 'ledger' | 'token', string | undefined>>;

async function completed(given: Given, env: Environment): Promise<Given> {
  const settings = 'SLUICE_ACCOUNT_ADDRESS, SLUICE_LEDGER_ADDRESS and SLUICE_RPC_TOKEN';
  const file = await readConnectionsFile(env, settings);
  return {
    account: given.account || file.account_address,
    ledger: given.ledger || file.ledger_address,
    token: given.token || file.rpc_token,
  };
}

function addressOf(address: string | undefined, name: string): string {
  if (!address || !addressPattern.test(address))
    throw new NoConnections(`${name} is not host:port.`);
  return address;
}
