import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rpcClient, type RpcClient, type UnaryDefinition } from '@sluice/rpc';
import type { Instance } from './instance.ts';

/** The services behind the API: for what the API itself does not make. */
export interface Inside {
  connect<Definition extends UnaryDefinition>(
    definition: Definition,
    service: 'account' | 'key' | 'workspace',
  ): RpcClient<Definition>;
  close(): void;
}

interface Connections {
  readonly account_address: string;
  readonly workspace_address: string;
  readonly key_address: string;
  readonly rpc_token: string;
}

const deadlineMs = 5_000;

export async function insideOf({ dataDirectory }: Instance): Promise<Inside> {
  const file = join(dataDirectory, 'run', 'connections.json');
  const connections = JSON.parse(await readFile(file, 'utf8')) as Connections;
  const closes: (() => void)[] = [];
  return {
    connect(definition, service) {
      const { rpc_token: token } = connections;
      const address = connections[`${service}_address`];
      const client = rpcClient(definition, { address, token, deadlineMs });
      closes.push(() => client.close());
      return client;
    },
    close() {
      for (const close of closes) close();
    },
  };
}

export const systemContext = (accountId: string) => ({
  commandId: randomUUID(),
  requestId: 'acceptance',
  accountId,
  actorType: 'system',
  actorId: 'acceptance',
  traceparent: '',
});
