import { amountNanoUsdMax } from '@sluice/amounts';
import { isInstant } from '@sluice/usage-facts';

/** Credits of an account changed: counted once per creditId. A refund is negative. */
export interface CreditEntry {
  readonly creditId: string;
  readonly accountId: string;
  readonly entryKind: string;
  readonly amountNanoUsd: bigint;
  readonly occurredAt: string;
}

const idPattern = /^[\x21-\x7e]{1,256}$/;
const tokenPattern = /^[A-Za-z0-9_-]{1,128}$/;
const signs: Readonly<Record<string, 1n | -1n>> = { purchase: 1n, grant: 1n, refund: -1n };

/** Why an entry must not be counted; undefined when it may. */
export function creditProblem(entry: CreditEntry): string | undefined {
  if (!idPattern.test(entry.creditId)) return 'credit_id is missing or malformed';
  if (!tokenPattern.test(entry.accountId)) return 'account_id is missing or malformed';
  if (!isInstant(entry.occurredAt)) return 'occurred_at is no instant';
  const sign = Object.hasOwn(signs, entry.entryKind) ? signs[entry.entryKind] : undefined;
  if (sign === undefined) return 'entry_kind is not known';
  const amount = sign * entry.amountNanoUsd;
  if (amount <= 0n || amount > amountNanoUsdMax)
    return 'the amount has the wrong sign or is absurd';
  return undefined;
}
