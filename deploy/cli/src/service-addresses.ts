import { Secret } from '@sluice/boot';
import { type Environment, NoConnections, readConnectionsFile } from './connections-file.ts';

/** The addresses of the services that hold credits, as `host:port`, and their token. */
export interface ServiceAddresses {
  readonly accountAddress: string;
  readonly ledgerAddress: string;
  readonly rpcToken: Secret;
}

/** The address of the key service. */
export interface KeyAddress {
  readonly keyAddress: string;
  readonly rpcToken: Secret;
}

/** The address of the account service. */
export interface AccountAddress {
  readonly accountAddress: string;
  readonly rpcToken: Secret;
}

/** The address of analytics. */
export interface AnalyticsAddress {
  readonly analyticsAddress: string;
  readonly rpcToken: Secret;
}

/** The addresses of the services that an account needs. */
export interface AccountAddresses extends AccountAddress {
  readonly workspaceAddress: string;
}

const settings = {
  account: 'SLUICE_ACCOUNT_ADDRESS',
  workspace: 'SLUICE_WORKSPACE_ADDRESS',
  key: 'SLUICE_KEY_ADDRESS',
  ledger: 'SLUICE_LEDGER_ADDRESS',
  analytics: 'SLUICE_ANALYTICS_ADDRESS',
} as const;
type ServiceName = keyof typeof settings;

const addressPattern = /^[^\s/]+:\d{1,5}$/;

/**
 * From the environment, or from `run/connections.json` in the data directory of a local Sluice; what the
 * environment says wins. Throws NoConnections.
 */
export async function findServiceAddresses(env: Environment): Promise<ServiceAddresses> {
  const { account, ledger, rpcToken } = await find(env, ['account', 'ledger']);
  return { accountAddress: account, ledgerAddress: ledger, rpcToken };
}

/** Found like the others. Throws NoConnections. */
export async function findKeyService(env: Environment): Promise<KeyAddress> {
  const { key, rpcToken } = await find(env, ['key']);
  return { keyAddress: key, rpcToken };
}

/** Found like the others. Throws NoConnections. */
export async function findAccountService(env: Environment): Promise<AccountAddress> {
  const { account, rpcToken } = await find(env, ['account']);
  return { accountAddress: account, rpcToken };
}

/** Found like the others. Throws NoConnections. */
export async function findAnalyticsService(env: Environment): Promise<AnalyticsAddress> {
  const { analytics, rpcToken } = await find(env, ['analytics']);
  return { analyticsAddress: analytics, rpcToken };
}

/** Found like the others. Throws NoConnections. */
export async function findAccountServices(env: Environment): Promise<AccountAddresses> {
  const { account, workspace, rpcToken } = await find(env, ['account', 'workspace']);
  return { accountAddress: account, workspaceAddress: workspace, rpcToken };
}

type Found = Readonly<Record<ServiceName, string>> & { readonly rpcToken: Secret };

async function find(env: Environment, names: readonly ServiceName[]): Promise<Found> {
  const needed = [...names.map((name) => settings[name]), 'SLUICE_RPC_TOKEN'];
  const file = needed.every((name) => env[name])
    ? undefined
    : await readConnectionsFile(env, listed(needed));
  const token = env['SLUICE_RPC_TOKEN'] || file?.rpc_token;
  if (!token) throw new NoConnections('SLUICE_RPC_TOKEN is not set.');
  const addresses = { account: '', workspace: '', key: '', ledger: '', analytics: '' };
  for (const name of names)
    addresses[name] = addressOf(env[settings[name]] || file?.[`${name}_address`], settings[name]);
  return { ...addresses, rpcToken: new Secret(token) };
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function addressOf(address: string | undefined, name: string): string {
  if (!address || !addressPattern.test(address))
    throw new NoConnections(`${name} is not host:port.`);
  return address;
}
