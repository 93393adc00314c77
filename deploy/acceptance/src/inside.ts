import { randomUUID } from 'node:crypto';
import { rpcClient, type RpcClient, type RpcDefinition } from '@sluice/rpc';
import { connectionsOf } from './connections.ts';
import type { Instance } from './instance.ts';

/** The services behind the API: for what the API itself does not make. */
export interface Inside {
  connect<Definition extends RpcDefinition>(
    definition: Definition,
    service: 'account' | 'key' | 'workspace',
  ): RpcClient<Definition>;
  close(): void;
}

const deadlineMs = 5_000;

export async function insideOf(instance: Pick<Instance, 'dataDirectory'>): Promise<Inside> {
  const connections = await connectionsOf(instance);
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
