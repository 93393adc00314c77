import type { Command as Words } from 'commander';
import { filled, groupOf } from '../words.ts';
import { shown, WrongUsage } from '../wrong-usage.ts';
import { parseUsd } from './usd.ts';

interface Entry {
  readonly accountId: string;
  readonly amountNanoUsd: bigint;
  readonly reason: string;
  /** The id of the grant, purchase or refund, which happens once under it. undefined: a new one. */
  readonly id: string | undefined;
}

export type CreditsCommand =
  | ({ readonly name: 'grant' | 'purchase' } & Entry)
  | ({ readonly name: 'refund'; readonly purchaseId: string } & Entry)
  | { readonly name: 'show'; readonly accountId: string };

interface EntryOptions {
  readonly account: string;
  readonly reason: string;
  readonly id?: string;
  readonly purchase: string;
}

const does = {
  grant: 'give an account credits',
  purchase: 'write down that it bought credits',
  refund: 'take back credits of a purchase, at most what it was',
} as const;

/** `credits grant`, `purchase`, `refund` and `show`. Their values throw WrongUsage. */
export function addCreditsCommands(program: Words, found: (command: CreditsCommand) => void): void {
  const group = groupOf(program, 'credits').description('what an account may spend');
  for (const name of ['grant', 'purchase', 'refund'] as const) {
    const command = group
      .command(name)
      .argument('<USD>', 'the amount', amountOf)
      .description(does[name])
      .requiredOption('--account <id>', 'whose credits', filled('--account'))
      .option('--reason <text>', 'why', '')
      .option('--id <id>', 'under the same id it is done once');
    if (name === 'refund')
      command.requiredOption('--purchase <id>', 'of which purchase', filled('--purchase'));
    command.action((amountNanoUsd: bigint, options: EntryOptions) => {
      const { account: accountId, reason, id, purchase: purchaseId } = options;
      const entry = { accountId, amountNanoUsd, reason, id };
      found(name === 'refund' ? { name, purchaseId, ...entry } : { name, ...entry });
    });
  }
  group
    .command('show')
    .description('what it has, used and has left')
    .requiredOption('--account <id>', 'whose credits', filled('--account'))
    .action(({ account }: { readonly account: string }) =>
      found({ name: 'show', accountId: account }),
    );
}

function amountOf(text: string): bigint {
  const nanoUsd = parseUsd(text);
  if (nanoUsd === undefined || nanoUsd === 0n)
    throw new WrongUsage(
      `${shown(text)} is no amount of USD above 0 with at most 9 decimal places.`,
    );
  return nanoUsd;
}
