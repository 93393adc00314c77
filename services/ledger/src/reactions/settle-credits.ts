import type { Queryable } from '@sluice/read-model';
import type { CreditEntry } from '../domain/credit/credit-entry.ts';
import { creditTransfers } from '../domain/transfer/transfers.ts';
import type { Decoded } from '../messages/decode.ts';
import { addToCreditLimits } from '../store/add-to-credit-limits.ts';
import { insertCredits } from '../store/insert-credits.ts';
import { insertDeadLetters } from '../store/insert-dead-letters.ts';
import { insertTransfers } from '../store/insert-transfers.ts';
import type { Outcome } from './settle-batch.ts';

/** Counts each credit entry once and keeps what cannot be counted, in the caller's transaction. */
export async function settleCredits(
  transaction: Queryable,
  decoded: readonly Decoded<CreditEntry>[],
): Promise<Outcome> {
  const entries = decoded.flatMap((one) => ('fact' in one ? [one.fact] : []));
  const dead = decoded.flatMap((one) =>
    'problem' in one ? [{ message: one.message, reason: one.problem }] : [],
  );
  const distinct = [...new Map(entries.map((entry) => [entry.creditId, entry])).values()];
  const inserted = await insertCredits(transaction, distinct);
  const counted = distinct.filter(({ creditId }) => inserted.has(creditId));
  await insertTransfers(transaction, counted.flatMap(creditTransfers));
  await addToCreditLimits(transaction, counted);
  await insertDeadLetters(transaction, dead);
  return {
    counted: counted.length,
    duplicates: entries.length - counted.length,
    deadLetters: dead.length,
    accountIds: new Set(counted.map(({ accountId }) => accountId)),
  };
}
