import type { Command as Words } from 'commander';
import { shown, WrongUsage } from '../wrong-usage.ts';

export type LedgerCommand =
  | { readonly name: 'verify' }
  | {
      readonly name: 'reconcile';
      /** Its path. */
      readonly receipts: string;
      readonly provider: string | undefined;
      readonly from: Date | undefined;
      readonly to: Date | undefined;
    };

interface ReconcileOptions {
  readonly receipts: string;
  readonly provider?: string;
  readonly from?: Date;
  readonly to?: Date;
}

/** `ledger rebuild --verify` and `ledger reconcile`. Their values throw WrongUsage. */
export function addLedgerCommands(program: Words, found: (command: LedgerCommand) => void): void {
  const group = program.command('ledger').description('the books: are they what their facts give?');
  group
    .command('rebuild')
    .description(
      'compute all counters from the facts and credits, and show what is stored otherwise',
    )
    .requiredOption('--verify', 'only compare: changes nothing')
    .action(() => found({ name: 'verify' }));
  group
    .command('reconcile')
    .description("compare a provider's receipts with what was counted, both ways")
    .requiredOption('--receipts <file>', 'CSV or JSON lines', filled('--receipts'))
    .option('--provider <name>', 'only usage of this provider must have a receipt')
    .option('--from <day>', 'only usage from this day or instant on (UTC)', instantOf('--from'))
    .option('--to <day>', 'only usage before this day or instant (UTC)', instantOf('--to'))
    .action(({ receipts, provider, from, to }: ReconcileOptions) =>
      found({ name: 'reconcile', receipts, provider, from, to }),
    );
}

const filled = (name: string) => (text: string) => {
  if (text === '') throw new WrongUsage(`${name} needs a value.`);
  return text;
};

const instantPattern = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{1,3})?Z)?$/;

/** A day means its beginning. */
export const instantOf =
  (name: string) =>
  (text: string): Date => {
    const instant = new Date(instantPattern.test(text) ? text : Number.NaN);
    // A 30 February would silently be another day.
    if (Number.isNaN(instant.getTime()) || !instant.toISOString().startsWith(text.slice(0, 10)))
      throw new WrongUsage(`${name} ${shown(text)} is no UTC day or instant like 2026-11-18.`);
    return instant;
  };
