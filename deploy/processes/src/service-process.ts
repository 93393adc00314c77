import { join } from 'node:path';
import {
  type LocalSettings,
  type LocalSecrets,
  type BusAddress,
  type Running,
  sandboxEnvironment,
  startServiceProcess,
} from '@sluice/local';
import type { PortName, Ports } from './ports.ts';

/** The services, in the order in which they are started. */
export const serviceNames = [
  'sandbox',
  'ledger',
  'analytics',
  'account',
  'workspace',
  'observer',
  'key',
  'guardrail',
  'routing',
  'gateway',
] as const;
export type ServiceName = (typeof serviceNames)[number];

/** The settings that all services of this machine share. */
export interface Surroundings {
  readonly settings: LocalSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly dataDirectory: string;
  readonly ports: Ports;
  readonly secrets: LocalSecrets;
  readonly postgresUrl: string;
  readonly nats: BusAddress;
  readonly eventStoreUrl: string;
  readonly simulatorUrl: string | undefined;
}

const root = join(import.meta.dirname, '..', '..', '..');

/** The program of a service; with the data directory behind it, it names one process of this machine. */
export const programOf = (name: ServiceName) => join(root, 'services', name, 'src', 'main.ts');

/** `host:port` where a service answers the others. */
export const addressOf = (ports: Ports, name: PortName) => `127.0.0.1:${ports[name]}`;

/** Returns the URL of a service's admin server, which answers whether the service is ready. */
export function adminUrlOf({ settings, ports }: Surroundings, name: ServiceName): string {
  return `http://127.0.0.1:${name === 'gateway' ? settings.SLUICE_ADMIN_PORT : ports[`${name}-admin`]}`;
}

/** Starts a service with the settings that it needs. */
export async function startService(
  name: ServiceName,
  surroundings: Surroundings,
): Promise<Running> {
  const { settings, dataDirectory } = surroundings;
  const env = name === 'sandbox' ? sandboxOf(surroundings) : environmentOf(name, surroundings);
  return await startServiceProcess({
    name,
    program: programOf(name),
    dataDirectory,
    settings,
    env,
  });
}

type Environment = Readonly<Record<string, string | undefined>>;

function sandboxOf({ env, ports, secrets, dataDirectory }: Surroundings): Environment {
  const { rpcToken } = secrets;
  const address = addressOf(ports, 'sandbox');
  return sandboxEnvironment(env, {
    address,
    rpcToken,
    dataDirectory,
    adminPort: ports['sandbox-admin'],
  });
}

/** On top of this process's own environment, where provider keys and limits come from. */
function environmentOf(name: ServiceName, surroundings: Surroundings): Environment {
  const { settings, ports, secrets, dataDirectory } = surroundings;
  const isGateway = name === 'gateway';
  return {
    SLUICE_DATA_DIR: dataDirectory,
    SLUICE_HOST: isGateway ? settings.SLUICE_HOST : '127.0.0.1',
    SLUICE_ADMIN_PORT: String(isGateway ? settings.SLUICE_ADMIN_PORT : ports[`${name}-admin`]),
    SLUICE_RPC_ADDRESS: isGateway ? undefined : addressOf(ports, name),
    SLUICE_INFERENCE_ADDRESS:
      name === 'routing' ? addressOf(ports, 'routing-inference') : undefined,
    SLUICE_RPC_TOKEN: secrets.rpcToken,
    SLUICE_KEY_PEPPER: name === 'key' ? secrets.keyPepper : undefined,
    SLUICE_ACCOUNT_ADDRESS: addressOf(ports, 'account'),
    SLUICE_KEY_ADDRESS: addressOf(ports, 'key'),
    SLUICE_WORKSPACE_ADDRESS: addressOf(ports, 'workspace'),
    SLUICE_GUARDRAIL_ADDRESS: addressOf(ports, 'guardrail'),
    SLUICE_LEDGER_ADDRESS: addressOf(ports, 'ledger'),
    SLUICE_ANALYTICS_ADDRESS: addressOf(ports, 'analytics'),
    SLUICE_OBSERVER_ADDRESS: addressOf(ports, 'observer'),
    SLUICE_ROUTING_ADDRESS: addressOf(ports, 'routing'),
    SLUICE_SANDBOX_ADDRESS: addressOf(ports, 'sandbox'),
    SLUICE_ROUTING_URL: `http://${addressOf(ports, 'routing-inference')}`,
    SLUICE_POSTGRES_URL: surroundings.postgresUrl,
    SLUICE_NATS_URL: surroundings.nats.url,
    SLUICE_NATS_TOKEN: surroundings.nats.token,
    SLUICE_NATS_MONITOR_URL: surroundings.nats.monitorUrl,
    SLUICE_EVENTSTORE_URL: surroundings.eventStoreUrl,
    SLUICE_EVENTSTORE_NAMESPACE: settings.SLUICE_EVENTSTORE_NAMESPACE,
    SLUICE_EVENT_KEY: secrets.eventKey,
    SLUICE_SIMULATOR_URL: surroundings.simulatorUrl,
  };
}
