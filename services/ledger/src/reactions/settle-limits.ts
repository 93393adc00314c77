import type { Queryable } from '@sluice/read-model';
import { newestLimits, type ScopeLimits } from '../domain/limit/scope-limits.ts';
import type { Decoded } from '../messages/decode.ts';
import { insertDeadLetters } from '../store/insert-dead-letters.ts';
import { setLimits } from '../store/set-limits.ts';
import type { Outcome } from './settle-batch.ts';

/** Takes the newest limits of each scope, in the caller's transaction; older ones change nothing. */
export async function settleLimits(
  transaction: Queryable,
  decoded: readonly Decoded<ScopeLimits>[],
): Promise<Outcome> {
  const limits = decoded.flatMap((one) => ('fact' in one ? [one.fact] : []));
  const dead = decoded.flatMap((one) =>
    'problem' in one ? [{ message: one.message, reason: one.problem }] : [],
  );
  const set = await setLimits(transaction, newestLimits(limits));
  await insertDeadLetters(transaction, dead);
  return {
    counted: set.length,
    duplicates: limits.length - set.length,
    deadLetters: dead.length,
    accountIds: new Set(set.map(({ accountId }) => accountId)),
  };
}
