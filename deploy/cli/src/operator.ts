import { type Ids, systemIds } from '@sluice/clock-and-ids';
import type { CommandContext } from '@sluice/protos/sluice/context/v1/context';
import { rpcClient, type RpcClient, type RpcDefinition } from '@sluice/rpc';
import { findOrganization } from './api/find-api.ts';
import { show } from './api/show.ts';
import type { Surroundings } from './installation.ts';
import type { Output } from './output.ts';
import { findServices, type ServiceName } from './service-addresses.ts';

const deadlineMsUsual = 10_000;

/** A command by which the operator asks these services. */
export interface Operator<Name extends ServiceName> {
  readonly output: Output;
  /** Aborts when the command is interrupted. */
  readonly signal: AbortSignal;
  readonly ids: Ids;
  /** Returns the account that a command names, or the organization of the first start. */
  readonly accountOf: (named: string | undefined) => Promise<string>;
  /** Calls a service over a connection of its own, closed afterwards. Throws the fault of the service. */
  readonly ask: <Definition extends RpcDefinition, Answer>(
    service: Name,
    definition: Definition,
    call: (client: RpcClient<Definition>) => Promise<Answer>,
    deadlineMs?: number,
  ) => Promise<Answer>;
  /** Returns the context of a command: the audit shows it as `system cli`. */
  readonly context: (accountId: string) => CommandContext;
  /** Prints an answer as JSON, or for people. */
  readonly tell: (answer: object, isJson: boolean, columns?: readonly string[]) => void;
}

/** Finds the services. Throws NoConnections. */
export async function operatorOf<Name extends ServiceName>(
  { env, output, signal }: Surroundings,
  names: readonly Name[],
): Promise<Operator<Name>> {
  const { rpcToken, ...services } = await findServices(env, names);
  const addresses = services as Readonly<Record<string, string>>;
  return {
    output,
    signal,
    ids: systemIds,
    accountOf: async (named) => named ?? (await findOrganization(env)),
    async ask(service, definition, call, deadlineMs = deadlineMsUsual) {
      const address = addresses[service] ?? '';
      const client = rpcClient(definition, { address, token: rpcToken.reveal(), deadlineMs });
      try {
        return await call(client);
      } finally {
        client.close();
      }
    },
    context(accountId) {
      const commandId = systemIds.next();
      return {
        commandId,
        requestId: `cli-${commandId}`,
        accountId,
        actorType: 'system',
        actorId: 'cli',
        traceparent: '',
        clientIp: '',
        userAgent: '',
      };
    },
    tell(answer, isJson, columns = []) {
      if (isJson) output.line(JSON.stringify(answer, null, 2));
      else show(answer, { columns }, output);
    },
  };
}
