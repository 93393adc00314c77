import { AccountServiceService } from '@sluice/protos/sluice/account/v1/account';
import { LedgerServiceService } from '@sluice/protos/sluice/ledger/v1/ledger';
import { Fault } from '@sluice/errors';
import { rpcClient, type UnaryDefinition } from '@sluice/rpc';
import type { Ids } from '@sluice/service';
import type { Output } from '../output.ts';
import type { ServiceAddresses } from '../service-addresses.ts';
import type { CreditsCommand } from './command.ts';
import { formatUsd } from './usd.ts';

export interface CreditsSurroundings {
  readonly services: ServiceAddresses;
  readonly output: Output;
  readonly ids: Ids;
}

type Entry = Exclude<CreditsCommand, { readonly name: 'show' }>;

const deadlineMs = 10_000;

/** Changes or shows the credits of an account. Returns the exit code. */
export async function credits(
  command: CreditsCommand,
  surroundings: CreditsSurroundings,
): Promise<number> {
  if (command.name === 'show') await show(command.accountId, surroundings);
  else await enter(command, surroundings);
  return 0;
}

async function show(accountId: string, { services, output }: CreditsSurroundings): Promise<void> {
  await asking(services, services.accountAddress, AccountServiceService, (client) =>
    client.getAccount({ accountId }),
  ).catch((error: unknown) => {
    if (!(error instanceof Fault) || error.code !== 'not_found') throw error;
    throw new Fault('not_found', { message: 'There is no such account', cause: error });
  });
  const { totalCreditsNanoUsd, totalUsageNanoUsd } = await asking(
    services,
    services.ledgerAddress,
    LedgerServiceService,
    (client) => client.getCredits({ accountId }),
  );
  output.line(`Credits  ${formatUsd(totalCreditsNanoUsd)}`);
  output.line(`Used     ${formatUsd(totalUsageNanoUsd)}`);
  output.line(`Left     ${formatUsd(totalCreditsNanoUsd - totalUsageNanoUsd)}`);
}

const done = { grant: 'granted to', purchase: 'bought for', refund: 'refunded to' } as const;

/** Made once per id: who does not know whether it was made repeats it with the id. */
async function enter(command: Entry, surroundings: CreditsSurroundings): Promise<void> {
  const { services, output, ids } = surroundings;
  const { name, accountId, amountNanoUsd } = command;
  const id = command.id ?? `${name}-${ids.next()}`;
  try {
    await asking(services, services.accountAddress, AccountServiceService, async (client) => {
      const context = contextOf(accountId, ids.next());
      const entry = { context, amountNanoUsd, reason: command.reason };
      switch (command.name) {
        case 'grant':
          return await client.grantCredits({ ...entry, grantId: id });
        case 'purchase':
          return await client.purchaseCredits({ ...entry, purchaseId: id });
        case 'refund':
          return await client.refundCredits({
            ...entry,
            refundId: id,
            purchaseId: command.purchaseId,
          });
      }
    });
  } catch (error) {
    if (error instanceof Fault && error.retryable)
      output.problem(`It may have been done: repeat it with --id ${id}, and it is done once.`);
    throw error;
  }
  output.line(`${formatUsd(amountNanoUsd)} ${done[name]} ${accountId} (${name} ${id}).`);
}

async function asking<Definition extends UnaryDefinition, Answer>(
  { rpcToken }: ServiceAddresses,
  address: string,
  definition: Definition,
  ask: (client: ReturnType<typeof rpcClient<Definition>>) => Promise<Answer>,
): Promise<Answer> {
  const client = rpcClient(definition, { address, token: rpcToken.reveal(), deadlineMs });
  try {
    return await ask(client);
  } finally {
    client.close();
  }
}

function contextOf(accountId: string, commandId: string) {
  return {
    commandId,
    requestId: `cli-${commandId}`,
    accountId,
    actorType: 'system',
    actorId: 'cli',
    traceparent: '',
  };
}
