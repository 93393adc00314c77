import type { Command as Words } from 'commander';
import { instantOf } from '../words.ts';

export interface ReplayCommand {
  readonly from: Date;
  readonly to: Date | undefined;
  readonly accountId: string | undefined;
}

interface ReplayOptions {
  readonly from: Date;
  readonly to?: Date;
  readonly account?: string;
}

/** `events replay`. Its values throw WrongUsage. */
export function addEventsCommands(program: Words, found: (command: ReplayCommand) => void): void {
  program
    .command('events')
    .description('the facts that others read: also those that the bus keeps no longer')
    .command('replay')
    .description('print usage facts out of the ledger, one JSON object a line, as the bus has them')
    .requiredOption(
      '--from <day>',
      'what was admitted from this day or instant on (UTC)',
      instantOf('--from'),
    )
    .option('--to <day>', 'only what was admitted before (UTC)', instantOf('--to'))
    .option('--account <id>', 'only facts of this account')
    .action(({ from, to, account }: ReplayOptions) => found({ from, to, accountId: account }));
}
