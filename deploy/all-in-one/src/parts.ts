import type { LocalSecrets } from '@sluice/local';
import { type Database, openDatabase } from '@sluice/read-model';
import {
  rpcClient,
  type RpcClient,
  type RpcService,
  startRpcServer,
  type UnaryDefinition,
} from '@sluice/rpc';
import type { Lifecycle, Service } from '@sluice/boot';
import type { Logger } from '@sluice/logging';
import type { Telemetry } from '@sluice/telemetry';
import type { Platform } from './platform.ts';

export interface PartsOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly dataDirectory: string;
  readonly platform: Platform;
  readonly secrets: LocalSecrets;
  readonly logger: Logger;
  readonly telemetry: Telemetry;
  readonly lifecycle: Lifecycle;
  /** Told why the process has to end. */
  readonly onLost: (sentence: string) => void;
}

/** What the services are put together from. Whatever is made is stopped with the lifecycle. */
export interface Parts {
  database(schema: string): Database;
  start(service: Service): Promise<void>;
  /** Returns the address on this machine where they answer. */
  serve(services: readonly RpcService[]): Promise<string>;
  client<Definition extends UnaryDefinition>(
    definition: Definition,
    address: string,
  ): RpcClient<Definition>;
}

const connectionsMax = 10;
const deadlineMs = 5_000;

export function createParts({ platform, secrets, logger, lifecycle }: PartsOptions): Parts {
  const token = secrets.rpcToken;
  return {
    database(schema) {
      const database = openDatabase({ url: platform.postgresUrl, schema, connectionsMax });
      lifecycle.add({ name: `read model ${schema}`, stop: () => database.stop() });
      return database;
    },
    async start(service) {
      lifecycle.add(service);
      await service.start();
    },
    async serve(services) {
      const server = await startRpcServer({
        services,
        address: '127.0.0.1:0',
        token,
        onBug: (error, method) => logger.error('a call failed by a bug', { method, error }),
      });
      lifecycle.add({ name: 'rpc', stop: () => server.stop() });
      return server.address;
    },
    client(definition, address) {
      const client = rpcClient(definition, { address, token, deadlineMs });
      lifecycle.add({ name: 'rpc client', stop: async () => client.close() });
      return client;
    },
  };
}
