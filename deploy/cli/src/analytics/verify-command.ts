import type { Command as Words } from 'commander';
import { systemClock } from '@sluice/clock-and-ids';
import { groupOf, instantOf } from '../words.ts';
import { shown, WrongUsage } from '../wrong-usage.ts';

/** Compares the tables of analytics in a window of whole hours that have ended. */
export interface VerifyCommand {
  readonly from: Date;
  readonly to: Date;
  readonly accountId: string | undefined;
}

interface Options {
  readonly from?: Date;
  readonly to?: Date;
  readonly account?: string;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const daysDefault = 7;

/** Adds `analytics verify` to the commands of the group. */
export function addAnalyticsVerify(program: Words, found: (command: VerifyCommand) => void): void {
  groupOf(program, 'analytics')
    .command('verify')
    .description('compare the sums of analytics with each other, with their facts and the ledger')
    .option(
      '--from <day>',
      'the first day or hour (UTC); default: 7 days before',
      instantOf('--from'),
    )
    .option('--to <day>', 'the day or hour behind the last; default: today', instantOf('--to'))
    .option('--account <id>', 'only this account', accountOf)
    .action((options: Options) => found(commandOf(options, systemClock.now().getTime())));
}

function commandOf({ from, to, account }: Options, nowMs: number): VerifyCommand {
  const endMs = to?.getTime() ?? Math.floor(nowMs / dayMs) * dayMs;
  const startMs = from?.getTime() ?? endMs - daysDefault * dayMs;
  for (const [flag, ms] of Object.entries({ '--from': startMs, '--to': endMs }))
    if (ms % hourMs !== 0) throw new WrongUsage(`${flag} is not the start of an hour.`);
  if (startMs >= endMs) throw new WrongUsage('--from is not before --to.');
  if (endMs > nowMs)
    throw new WrongUsage('--to is not in the past: only hours that have ended do not change.');
  return { from: new Date(startMs), to: new Date(endMs), accountId: account };
}

function accountOf(text: string): string {
  if (/^[A-Za-z0-9_-]{1,128}$/.test(text)) return text;
  throw new WrongUsage(`--account ${shown(text)} is no id of an account.`);
}
