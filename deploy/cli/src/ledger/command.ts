import type { Command as Words } from 'commander';
import { rerateDimensions, type RerateDimension } from '@sluice/ledger/rerate';
import { filled, instantOf } from '../words.ts';
import { shown, WrongUsage } from '../wrong-usage.ts';

export type LedgerCommand =
  | {
      readonly name: 'verify';
      /** Only what was admitted on this day of UTC: `2026-11-18`. */
      readonly day: string | undefined;
      /** The folder of the archives. */
      readonly archive: string | undefined;
    }
  | {
      readonly name: 'archive';
      readonly olderThanDays: number;
      /** The folder that gets the files. */
      readonly folder: string;
      readonly isConfirmed: boolean;
    }
  | {
      readonly name: 'reconcile';
      /** The path of the file of receipts. */
      readonly receipts: string;
      readonly provider: string | undefined;
      readonly from: Date | undefined;
      readonly to: Date | undefined;
      readonly apply: { readonly isComplete: boolean } | undefined;
    }
  | {
      readonly name: 'write-off';
      readonly olderThanDays: number;
      readonly provider: string | undefined;
      readonly isConfirmed: boolean;
    }
  | {
      readonly name: 'close-replica';
      readonly replica: string;
      readonly isFreed: boolean;
      readonly isConfirmed: boolean;
    }
  | RerateCommand;

export interface RerateCommand {
  readonly name: 'rerate';
  readonly from: Date;
  readonly to: Date | undefined;
  /** The path of the file of prices. */
  readonly prices: string;
  readonly accountId: string | undefined;
  readonly by: readonly RerateDimension[];
  readonly form: 'table' | 'json' | 'csv';
}

/** The values of the options of these commands. */
interface Options {
  readonly account?: string;
  readonly apply?: boolean;
  readonly archive?: string;
  readonly by?: readonly RerateDimension[];
  readonly complete?: boolean;
  readonly confirm?: boolean;
  readonly csv?: boolean;
  readonly day?: string;
  readonly dryRun?: boolean;
  readonly free?: boolean;
  readonly from?: Date;
  readonly json?: boolean;
  readonly olderThan: number;
  readonly prices: string;
  readonly provider?: string;
  readonly receipts: string;
  readonly to?: Date;
}

/** Adds the commands of the books. Wrong values throw WrongUsage. */
export function addLedgerCommands(program: Words, found: (command: LedgerCommand) => void): void {
  const group = program.command('ledger').description('the books: are they what their facts give?');
  group
    .command('rebuild')
    .description(
      'compute all counters from the facts and credits, and show what is stored otherwise',
    )
    .requiredOption('--verify', 'only compare: changes nothing')
    .option('--day <day>', 'only what was admitted on this day (UTC)', dayOf)
    .option('--archive <folder>', 'the folder of archived facts', filled('--archive'))
    .action(({ day, archive }: Options) => found({ name: 'verify', day, archive }));
  addArchive(group, found);
  group
    .command('reconcile')
    .description("compare a provider's receipts with what was counted, both ways")
    .requiredOption('--receipts <file>', 'CSV or JSON lines', filled('--receipts'))
    .option('--provider <name>', 'only usage of this provider must have a receipt')
    .option('--from <day>', 'only usage from this day or instant on (UTC)', instantOf('--from'))
    .option('--to <day>', 'only usage before this day or instant (UTC)', instantOf('--to'))
    .option(
      '--apply',
      'first give estimates the values of their receipts, and empty their suspense',
    )
    .option('--complete', 'with --apply: what has no receipt was not served')
    .action(({ receipts, provider, from, to, apply: applies, complete = false }: Options) => {
      if (complete && !applies) throw new WrongUsage('--complete needs --apply.');
      const apply = applies ? { isComplete: complete } : undefined;
      found({ name: 'reconcile', receipts, provider, from, to, apply });
    });
  group
    .command('write-off')
    .description('free what has been in suspense for long: what was charged stays')
    .requiredOption('--older-than <days>', 'counted before so many days', daysOf)
    .option('--provider <name>', 'only usage of this provider')
    .option('--confirm', 'do it; without it, only say what it would be')
    .action(({ olderThan: olderThanDays, provider, confirm: isConfirmed = false }: Options) =>
      found({ name: 'write-off', olderThanDays, provider, isConfirmed }),
    );
  group
    .command('close-replica')
    .description('end a routing replica whose disk is lost for good')
    .argument('<id>', 'in its replica.json, and in the table ledger.replicas', filled('The id'))
    .option('--free', 'also free what its leases have left')
    .option('--confirm', 'do it; without it, only say what it would be')
    .action((replica: string, { free: isFreed = false, confirm: isConfirmed = false }: Options) =>
      found({ name: 'close-replica', replica, isFreed, isConfirmed }),
    );
  addRerate(group, found);
}

function addArchive(group: Words, found: (command: LedgerCommand) => void): void {
  group
    .command('archive')
    .description('move the facts of old days to files, which rebuild --verify still reads')
    .requiredOption('--older-than <days>', 'admitted before so many days, at least 7', keptDaysOf)
    .requiredOption('--to <folder>', 'the folder of the files', filled('--to'))
    .option('--confirm', 'do it; without it, only say which days they are')
    .action((options: Omit<Options, 'to'> & { readonly to: string }) => {
      const { olderThan: olderThanDays, to: folder, confirm: isConfirmed = false } = options;
      found({ name: 'archive', olderThanDays, folder, isConfirmed });
    });
}

function addRerate(group: Words, found: (command: LedgerCommand) => void): void {
  group
    .command('rerate')
    .description('compute what usage would have cost at other prices: changes nothing')
    .requiredOption(
      '--from <day>',
      'usage that was admitted from this day or instant on (UTC)',
      instantOf('--from'),
    )
    .option('--to <day>', 'only what was admitted before (UTC)', instantOf('--to'))
    .requiredOption(
      '--prices <file>',
      'a catalog file in YAML: its models and tool_prices',
      filled('--prices'),
    )
    .option('--dry-run', 'required: what was charged cannot be changed')
    .option('--account <id>', 'only usage of this account', filled('--account'))
    .option('--by <list>', 'a row for each workspace, model or both of an account', dimensionsOf)
    .option('--json', 'print JSON')
    .option('--csv', 'print CSV')
    .action((options: Options & { readonly from: Date }) => {
      const { from, to, prices, account: accountId, by = [], dryRun, json, csv } = options;
      if (!dryRun)
        throw new WrongUsage(
          'Applying other prices to what was charged is not built. Add --dry-run to compute the difference.',
        );
      if (json && csv) throw new WrongUsage('--json and --csv exclude each other.');
      if (to && to <= from) throw new WrongUsage('--to is not after --from.');
      const form = json ? 'json' : csv ? 'csv' : 'table';
      found({ name: 'rerate', from, to, prices, accountId, by, form });
    });
}

function dimensionsOf(text: string): readonly RerateDimension[] {
  const named = text.split(',');
  const known = rerateDimensions.filter((one) => named.includes(one));
  if (known.length !== named.length)
    throw new WrongUsage(`--by ${shown(text)} is no list of ${rerateDimensions.join(' and ')}.`);
  return known;
}

/** At least one: what was cut off a moment ago may be known in a moment. */
function daysOf(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text))
    throw new WrongUsage(`--older-than ${shown(text)} is no number of days from 1 to 9999.`);
  return Number(text);
}

/** Returns at least 7 days: younger facts may still change. */
function keptDaysOf(text: string): number {
  const days = daysOf(text);
  if (days < 7) throw new WrongUsage(`--older-than ${shown(text)} is less than 7 days.`);
  return days;
}

function dayOf(text: string): string {
  const instant = instantOf('--day')(text);
  if (text.length !== 10) throw new WrongUsage(`--day ${shown(text)} is no day like 2026-11-18.`);
  return instant.toISOString().slice(0, 10);
}
