import { AccountServiceService } from '@sluice/protos/sluice/account/v1/account';
import { LedgerServiceService } from '@sluice/protos/sluice/ledger/v1/ledger';
import { Fault } from '@sluice/errors';
import type { Ids } from '@sluice/clock-and-ids';
import { asking } from '../asking.ts';
import { operatorContext } from '../operator-context.ts';
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
  const { rpcToken } = services;
  const account = { address: services.accountAddress, rpcToken };
  await asking(AccountServiceService, account, (client) => client.getAccount({ accountId })).catch(
    (error: unknown) => {
      if (!(error instanceof Fault) || error.code !== 'not_found') throw error;
      throw new Fault('not_found', { message: 'There is no such account', cause: error });
    },
  );
  const { totalCreditsNanoUsd, totalUsageNanoUsd } = await asking(
    LedgerServiceService,
    { address: services.ledgerAddress, rpcToken },
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
  const account = { address: services.accountAddress, rpcToken: services.rpcToken };
  try {
    await asking(AccountServiceService, account, async (client) => {
      const context = operatorContext(accountId, ids.next());
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
