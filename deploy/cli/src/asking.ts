import { rpcClient, type RpcClient, type RpcDefinition } from '@sluice/rpc';
import type { Secret } from '@sluice/boot';

const deadlineMs = 10_000;

/** Calls a service over a connection of its own, closed afterwards. Throws the fault of the service. */
export async function asking<Definition extends RpcDefinition, Answer>(
  definition: Definition,
  { address, rpcToken }: { readonly address: string; readonly rpcToken: Secret },
  ask: (client: RpcClient<Definition>) => Promise<Answer>,
): Promise<Answer> {
  const client = rpcClient(definition, { address, token: rpcToken.reveal(), deadlineMs });
  try {
    return await ask(client);
  } finally {
    client.close();
  }
}
