import type { LocalSecrets } from '@sluice/local';
import { type Database, installationSchema, openDatabase } from '@sluice/read-model';
import { rpcClient, type RpcClient, type RpcService, type RpcDefinition } from '@sluice/rpc';
import { type Lifecycle, Secret, type Service } from '@sluice/boot';
import { listenRpc } from '@sluice/boot/listen-rpc';
import { Fault } from '@sluice/errors';
import type { Logger } from '@sluice/logging';
import type { Telemetry } from '@sluice/telemetry';
import type { Platform } from './platform.ts';

export interface PartsOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly dataDirectory: string;
  readonly platform: Platform;
  readonly secrets: LocalSecrets;
  /** `host:port` of the sandbox. Undefined: there is none. */
  readonly sandboxAddress: string | undefined;
  /** `host:port` where services of this process listen. The others take a free port. */
  readonly addresses: Readonly<Partial<Record<RpcName, string>>>;
  readonly logger: Logger;
  readonly telemetry: Telemetry;
  readonly lifecycle: Lifecycle;
  /** Told why the process has to end. */
  readonly onLost: (sentence: string) => void;
}

/** Makes and starts the parts of the services. They stop with the lifecycle. */
export interface Parts {
  database(schema: string, options?: { readonly statementTimeoutMs?: number }): Database;
  start(service: Service): Promise<void>;
  /** Starts a service and its RPC server, for `client`. */
  startRpc(
    name: RpcName,
    service: Service & { readonly rpc: readonly RpcService[] },
  ): Promise<void>;
  /** `host:port` of a service. Throws unavailable while it is not known. */
  addressOf(name: RpcName): string;
  /** Adds services of another process, which answer from now on. */
  addElsewhere(addresses: Readonly<Partial<Record<RpcName, string>>>): void;
  /** Calls throw unavailable until the service has started. */
  client<Definition extends RpcDefinition>(
    definition: Definition,
    name: RpcName,
    callMs?: number,
  ): RpcClient<Definition>;
}

export type RpcName =
  | 'account'
  | 'analytics'
  | 'guardrail'
  | 'key'
  | 'ledger'
  | 'observer'
  | 'routing'
  | 'workspace';

const connectionsMax = 10;
const deadlineMs = 5_000;

export function createParts(options: PartsOptions): Parts {
  const { platform, secrets, logger, telemetry, lifecycle } = options;
  const { tracing } = telemetry;
  const token = secrets.rpcToken;
  const addresses = new Map<RpcName, string>();
  async function start(service: Service): Promise<void> {
    lifecycle.add(service);
    await service.start();
  }
  function addressOf(name: RpcName): string {
    const address = addresses.get(name);
    if (address === undefined) throw new Fault('unavailable');
    return address;
  }
  return {
    database(schema, given = {}) {
      const { postgresUrl: url } = platform;
      const installation = installationSchema;
      const database = openDatabase({ url, schema, installation, connectionsMax, ...given });
      lifecycle.add({ name: `read model ${schema}`, stop: () => database.stop() });
      return database;
    },
    start,
    async startRpc(name, service) {
      await start(service);
      const config = {
        SLUICE_RPC_ADDRESS: options.addresses[name] ?? '127.0.0.1:0',
        SLUICE_RPC_TOKEN: new Secret(token),
      };
      addresses.set(name, await listenRpc(service, { config, logger, telemetry, lifecycle }));
    },
    addressOf,
    addElsewhere(elsewhere) {
      for (const [name, address] of Object.entries(elsewhere))
        addresses.set(name as RpcName, address);
    },
    client(definition, name, callMs = deadlineMs) {
      const address = () => addressOf(name);
      const client = rpcClient(definition, { address, token, deadlineMs: callMs, tracing });
      lifecycle.add({ name: 'rpc client', stop: async () => client.close() });
      return client;
    },
  };
}
