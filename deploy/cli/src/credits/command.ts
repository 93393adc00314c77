import { parseWords, shown, WrongUsage } from '../wrong-usage.ts';
import { parseUsd } from './usd.ts';

interface Entry {
  readonly accountId: string;
  readonly amountNanoUsd: bigint;
  readonly reason: string;
  /** Of the grant, purchase or refund: it is made once under it. undefined: a new one. */
  readonly id: string | undefined;
}

export type CreditsCommand =
  | ({ readonly name: 'grant' | 'purchase' } & Entry)
  | ({ readonly name: 'refund'; readonly purchaseId: string } & Entry)
  | { readonly name: 'show'; readonly accountId: string };

const options = {
  account: { type: 'string' },
  reason: { type: 'string' },
  id: { type: 'string' },
  purchase: { type: 'string' },
} as const;

/** What follows `credits`. Throws WrongUsage. */
export function parseCreditsCommand(words: readonly string[]): CreditsCommand {
  const { values, positionals } = parseWords(words, options);
  const [name, amount, more] = positionals;
  if (name === undefined) throw new WrongUsage('credits what? grant, purchase, refund or show.');
  if (name !== 'grant' && name !== 'purchase' && name !== 'refund' && name !== 'show')
    throw new WrongUsage(`There is no command credits ${shown(name)}.`);
  const accountId = required(values.account, `credits ${name} needs --account.`);
  if (name === 'show') {
    const { reason, id, purchase } = values;
    if (amount !== undefined || [reason, id, purchase].some((value) => value !== undefined))
      throw new WrongUsage('credits show takes --account and nothing more.');
    return { name, accountId };
  }
  if (more !== undefined) throw new WrongUsage(`credits ${name} takes one amount.`);
  const amountNanoUsd = amountOf(name, amount);
  const entry = { accountId, amountNanoUsd, reason: values.reason ?? '', id: values.id };
  if (name === 'refund') {
    const purchaseId = required(values.purchase, 'credits refund needs --purchase.');
    return { name, purchaseId, ...entry };
  }
  if (values.purchase !== undefined)
    throw new WrongUsage(`credits ${name} takes no --purchase: that is of a refund.`);
  return { name, ...entry };
}

function amountOf(name: string, text: string | undefined): bigint {
  if (text === undefined) throw new WrongUsage(`credits ${name} needs an amount of USD.`);
  const nanoUsd = parseUsd(text);
  if (nanoUsd === undefined || nanoUsd === 0n)
    throw new WrongUsage(
      `${shown(text)} is no amount of USD above 0 with at most 9 decimal places.`,
    );
  return nanoUsd;
}

function required(value: string | undefined, sentence: string): string {
  if (value === undefined || value === '') throw new WrongUsage(sentence);
  return value;
}
