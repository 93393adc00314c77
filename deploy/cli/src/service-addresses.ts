import { Secret } from '@sluice/boot';
import { type Environment, NoConnections, readConnectionsFile } from './connections-file.ts';

const settings = {
  account: 'SLUICE_ACCOUNT_ADDRESS',
  workspace: 'SLUICE_WORKSPACE_ADDRESS',
  key: 'SLUICE_KEY_ADDRESS',
  ledger: 'SLUICE_LEDGER_ADDRESS',
  analytics: 'SLUICE_ANALYTICS_ADDRESS',
} as const;
export type ServiceName = keyof typeof settings;

/** The addresses of services, as `host:port`, and the token that opens them. */
export type Services<Name extends ServiceName> = Readonly<Record<Name, string>> & {
  readonly rpcToken: Secret;
};

const addressPattern = /^[^\s/]+:\d{1,5}$/;

/**
 * Finds services by the environment, or by `run/connections.json` in the data directory of a local Sluice. The
 * environment wins. Throws NoConnections.
 */
export async function findServices<Name extends ServiceName>(
  env: Environment,
  names: readonly Name[],
): Promise<Services<Name>> {
  const needed = [...names.map((name) => settings[name]), 'SLUICE_RPC_TOKEN'];
  const file = needed.every((name) => env[name])
    ? undefined
    : await readConnectionsFile(env, listed(needed));
  const token = env['SLUICE_RPC_TOKEN'] || file?.rpc_token;
  if (!token) throw new NoConnections('SLUICE_RPC_TOKEN is not set.');
  const addresses = names.map((name) => [
    name,
    addressOf(env[settings[name]] || file?.[`${name}_address`], settings[name]),
  ]);
  const found = Object.fromEntries(addresses) as Record<Name, string>;
  return { ...found, rpcToken: new Secret(token) };
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function addressOf(address: string | undefined, name: string): string {
  if (!address || !addressPattern.test(address))
    throw new NoConnections(`${name} is not host:port.`);
  return address;
}
