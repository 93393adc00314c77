import { parseWords, shown, WrongUsage } from '../wrong-usage.ts';

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

const options = {
  verify: { type: 'boolean' },
  receipts: { type: 'string' },
  provider: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
} as const;

/** What follows `ledger`. Throws WrongUsage. */
export function parseLedgerCommand(words: readonly string[]): LedgerCommand {
  const { values, positionals } = parseWords(words, options);
  const [name, more] = positionals;
  if (name === undefined) throw new WrongUsage('ledger what? rebuild --verify or reconcile.');
  if (name !== 'rebuild' && name !== 'reconcile')
    throw new WrongUsage(`There is no command ledger ${shown(name)}.`);
  if (more !== undefined) throw new WrongUsage(`ledger ${name} takes no ${shown(more)}.`);
  const { verify, receipts, provider, from, to } = values;
  if (name === 'rebuild') {
    if ([receipts, provider, from, to].some((value) => value !== undefined))
      throw new WrongUsage('ledger rebuild takes --verify and nothing more.');
    if (verify !== true) throw new WrongUsage('ledger rebuild needs --verify: it only compares.');
    return { name: 'verify' };
  }
  if (verify !== undefined) throw new WrongUsage('ledger reconcile takes no --verify.');
  if (receipts === undefined || receipts === '')
    throw new WrongUsage('ledger reconcile needs --receipts.');
  return { name, receipts, provider, from: instantOf('from', from), to: instantOf('to', to) };
}

const instantPattern = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{1,3})?Z)?$/;

function instantOf(name: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const instant = new Date(instantPattern.test(text) ? text : Number.NaN);
  // A 30 February would silently be another day.
  if (Number.isNaN(instant.getTime()) || !instant.toISOString().startsWith(text.slice(0, 10)))
    throw new WrongUsage(`--${name} ${shown(text)} is no UTC day or instant like 2026-11-18.`);
  return instant;
}
