import { AccountServiceService } from '@sluice/protos/sluice/account/v1/account';
import { LedgerServiceService } from '@sluice/protos/sluice/ledger/v1/ledger';
import { Fault } from '@sluice/errors';
import type { Operator } from '../operator.ts';
import type { CreditsCommand } from './command.ts';
import { formatUsd } from './usd.ts';

type CreditsOperator = Operator<'account' | 'ledger'>;
type Entry = Exclude<CreditsCommand, { readonly name: 'show' }>;

/** Changes or shows the credits of an account. Returns the exit code. */
export async function credits(command: CreditsCommand, operator: CreditsOperator): Promise<number> {
  if (command.name === 'show') await show(command.accountId, operator);
  else await enter(command, operator);
  return 0;
}

async function show(accountId: string, { ask, output }: CreditsOperator): Promise<void> {
  await ask('account', AccountServiceService, (client) => client.getAccount({ accountId })).catch(
    (error: unknown) => {
      if (!(error instanceof Fault) || error.code !== 'not_found') throw error;
      throw new Fault('not_found', { message: 'There is no such account', cause: error });
    },
  );
  const { totalCreditsNanoUsd, totalUsageNanoUsd } = await ask(
    'ledger',
    LedgerServiceService,
    (client) => client.getCredits({ accountId }),
  );
  output.line(`Credits  ${formatUsd(totalCreditsNanoUsd)}`);
  output.line(`Used     ${formatUsd(totalUsageNanoUsd)}`);
  output.line(`Left     ${formatUsd(totalCreditsNanoUsd - totalUsageNanoUsd)}`);
}

const done = { grant: 'granted to', purchase: 'bought for', refund: 'refunded to' } as const;

/** Made once per id: who does not know whether it was made repeats it with the id. */
async function enter(command: Entry, operator: CreditsOperator): Promise<void> {
  const { output, ids } = operator;
  const { name, accountId, amountNanoUsd, reason } = command;
  const id = command.id ?? `${name}-${ids.next()}`;
  try {
    await operator.ask('account', AccountServiceService, async (client) => {
      const entry = { context: operator.context(accountId), amountNanoUsd, reason };
      if (command.name === 'refund') {
        const { purchaseId } = command;
        await client.refundCredits({ ...entry, refundId: id, purchaseId });
      } else if (command.name === 'grant') await client.grantCredits({ ...entry, grantId: id });
      else await client.purchaseCredits({ ...entry, purchaseId: id });
    });
  } catch (error) {
    if (error instanceof Fault && error.retryable)
      output.problem(`It may have been done: repeat it with --id ${id}, and it is done once.`);
    throw error;
  }
  output.line(`${formatUsd(amountNanoUsd)} ${done[name]} ${accountId} (${name} ${id}).`);
}
